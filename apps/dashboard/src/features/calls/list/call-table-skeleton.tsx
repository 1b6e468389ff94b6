import { Skeleton } from '@mantine/core';
import classes from './call-table.module.css';

const ROWS = Array.from({ length: 8 }, (_, row) => row);

export function CallTableSkeleton() {
  return (
    <div className={classes['table']} aria-busy="true" aria-label="Loading calls" role="status">
      {ROWS.map((row) => (
        <div key={row} className={classes['row']}>
          <div className={classes['number']}>
            <Skeleton height={12} width="80%" />
          </div>
          <div className={classes['status']}>
            <Skeleton height={20} width={96 + (row % 3) * 14} />
          </div>
          <div className={classes['agent']}>
            <Skeleton height={12} width="60%" />
          </div>
          <div className={classes['answered']}>
            <Skeleton height={12} />
          </div>
          <div className={classes['duration']}>
            <Skeleton height={12} />
          </div>
          <div className={classes['cost']}>
            <Skeleton height={12} />
          </div>
          <div className={classes['recording']} />
          <div className={classes['created']}>
            <Skeleton height={12} />
          </div>
        </div>
      ))}
    </div>
  );
}
