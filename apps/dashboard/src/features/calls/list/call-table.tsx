import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowUp } from '@tabler/icons-react';
import type { AgentSummaryBody, ChangedCall } from '@outdial/contracts';
import { useMemo, useRef } from 'react';
import { CallCells } from './call-cells.tsx';
import { useNewCalls } from './use-new-calls.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useVisibleRows } from './visible-rows.ts';
import classes from './call-table.module.css';

/** The same as in call-table.module.css. */
const ROW_HEIGHT_PX = { wide: 48, narrow: 76 } as const;
const COLUMNS = [
  { name: 'Number', className: 'number' },
  { name: 'Status', className: 'status' },
  { name: 'Agent', className: 'agent' },
  { name: 'Answered by', className: 'answered' },
  { name: 'Duration', className: 'duration' },
  { name: 'Cost', className: 'cost' },
  { name: 'Rec.', className: 'recording' },
  { name: 'Created', className: 'created' },
] as const;

interface CallTableProps {
  readonly accountId: string;
  readonly calls: readonly ChangedCall[];
  readonly agents: readonly AgentSummaryBody[];
}

/** Calls, newest first. Only the visible rows and a few beyond are in the document. */
export function CallTable({ accountId, calls, agents }: CallTableProps) {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const rowHeightPx = isNarrow ? ROW_HEIGHT_PX.narrow : ROW_HEIGHT_PX.wide;
  const rows = useRef<HTMLDivElement>(null);
  const agentNames = useMemo(() => new Map<string, string>(agents.map(({ id, name }) => [id, name])), [agents]);
  const { shown, newCount, showNew } = useNewCalls(calls, rows);
  const visible = useVisibleRows(rows, rowHeightPx);
  const onKeyDown = useRowKeys(rows, shown, rowHeightPx);
  const first = Math.min(visible.first, Math.max(0, shown.length - 1));
  const inPage = shown.slice(first, visible.end);

  return (
    <div className={classes['frame']}>
      <div aria-live="polite" className={classes['new-calls']}>
        {newCount > 0 && (
          <Button size="xs" radius="xl" leftSection={<IconArrowUp size={14} aria-hidden />} onClick={showNew}>
            {newCount === 1 ? '1 new call' : `${newCount} new calls`}
          </Button>
        )}
      </div>
      <div role="table" aria-label="Calls" aria-rowcount={shown.length + 1} className={classes['table']}>
        <div role="rowgroup" className={classes['head']}>
          <div role="row" aria-rowindex={1} className={classes['row']}>
            {COLUMNS.map(({ name, className }) => (
              <div role="columnheader" key={name} className={classes[className]}>
                {name}
              </div>
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          ref={rows}
          onKeyDown={onKeyDown}
          style={{ height: shown.length * rowHeightPx, paddingTop: first * rowHeightPx }}
        >
          {inPage.map((call, offset) => (
            <div role="row" aria-rowindex={first + offset + 2} key={call.id} className={classes['row']}>
              <CallCells accountId={accountId} call={call} agentName={agentNames.get(call.agent_id) ?? ''} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
