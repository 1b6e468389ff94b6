import { CALL_STATUSES, type CallBody } from '@outdial/contracts';
import { CALL_STATUS_WORDS } from '../../../shared/words/call-status.ts';
import classes from './progress.module.css';

/** The progress of an open call. It can end at any of these steps. */
export function Progress({ call }: { readonly call: CallBody }) {
  const reached = CALL_STATUSES.indexOf(call.status);
  return (
    <ol className={classes['steps']} aria-label="Call progress">
      {CALL_STATUSES.map((status, index) => (
        <li
          key={status}
          className={classes['step']}
          data-state={index < reached ? 'done' : index === reached ? 'now' : 'ahead'}
          aria-current={index === reached ? 'step' : undefined}
        >
          {CALL_STATUS_WORDS[status].label}
        </li>
      ))}
    </ol>
  );
}
