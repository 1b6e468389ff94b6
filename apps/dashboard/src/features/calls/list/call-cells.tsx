import type { ChangedCall } from '@outdial/contracts';
import { IconCloudUpload, IconWaveSine } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { CallStatusBadge, EndedReasonBadge } from '../../../shared/components/call-status-badge.tsx';
import { formatMoney, formatPhoneNumber } from '../../../shared/format/numbers.ts';
import { formatExactTime } from '../../../shared/format/times.ts';
import { ANSWERED_BY_WORDS } from '../../../shared/words/call-status.ts';
import { CallDuration } from '../call-duration.tsx';
import { dueWords } from '../model/due-words.ts';
import { formatCreated } from './format-created.ts';
import classes from './call-table.module.css';

interface CallCellsProps {
  readonly accountId: string;
  readonly call: ChangedCall;
  readonly agentName: string;
}

/** The cells of a row. They render again only when their own call changes. */
export const CallCells = memo(function CallCells({ accountId, call, agentName }: CallCellsProps) {
  const createdAt = formatExactTime(call.created_at);
  const due = dueWords(call, Date.now());
  return (
    <>
      <div role="cell" className={classes['number']}>
        <Link
          to="/accounts/$accountId/calls/$callId"
          params={{ accountId, callId: call.id }}
          className={classes['link'] ?? ''}
          data-call-link={call.id}
          // The link covers the row, so cells cannot show tooltips: this one has what they may truncate.
          title={[agentName, createdAt, due].filter((part) => part !== '').join(', ')}
        >
          {formatPhoneNumber(call.callee_number)}
        </Link>
      </div>
      <div role="cell" className={classes['status']}>
        {call.ended_reason === null ? (
          <CallStatusBadge status={call.status} />
        ) : (
          <EndedReasonBadge reason={call.ended_reason} />
        )}
        {due !== '' && <span className={classes['due']}>{due}</span>}
      </div>
      <div role="cell" className={classes['agent']}>
        {agentName}
      </div>
      <div role="cell" className={classes['answered']}>
        {call.answered_by === null ? <None /> : ANSWERED_BY_WORDS[call.answered_by]}
      </div>
      <div role="cell" className={classes['duration']}>
        <CallDuration call={call} />
      </div>
      <div role="cell" className={classes['cost']}>
        {call.status === 'ended' ? formatMoney(call.cost, call.currency) : <None />}
      </div>
      <div role="cell" className={classes['recording']}>
        <RecordingMark status={call.recording_status} isEnded={call.status === 'ended'} />
      </div>
      <div role="cell" className={classes['created']}>
        <time dateTime={call.created_at}>{formatCreated(call.created_at, Date.now())}</time>
      </div>
    </>
  );
});

/** A dash that screen readers skip. */
function None() {
  return <span aria-hidden>–</span>;
}

interface RecordingMarkProps {
  readonly status: ChangedCall['recording_status'];
  readonly isEnded: boolean;
}

function RecordingMark({ status, isEnded }: RecordingMarkProps) {
  if (status === 'available') return <IconWaveSine size={17} aria-label="Recorded" role="img" />;
  if (status === 'pending' && isEnded) {
    return <IconCloudUpload size={17} aria-label="Saving recording" role="img" />;
  }
  return <None />;
}
