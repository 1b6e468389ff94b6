import type { DialAttemptStore, TakenChannel } from '@outdial/calls';
import type { CallId, E164 } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';
import { createGroupCommit } from '../group-commit.ts';

type AttemptInput = Parameters<DialAttemptStore['beginAttempt']>[0];
type DialAttemptOutcome = Awaited<ReturnType<DialAttemptStore['beginAttempt']>>;

interface AnswerRow {
  readonly callId: CallId;
  readonly outcome: DialAttemptOutcome['kind'];
  readonly endRequested: boolean;
}

/** The trunk of each dial attempt. Group-committed, like all writes of drivers. */
export function createDialAttemptStore(database: Database): DialAttemptStore {
  const attempts = createGroupCommit({
    run: (inputs: readonly AttemptInput[]) => beginAttempts(database, inputs),
    keyOf: (input) => input.callId,
  });
  return {
    beginAttempt: (input) => attempts.submit(input),
    async callerNumberOf(callId) {
      const [row] = await database.side.$queryRaw<{ callerNumber: E164 }[]>`
        SELECT caller_number AS "callerNumber" FROM calls WHERE id = ${callId}::uuid`;
      return row?.callerNumber ?? null;
    },
    takenChannels: () => database.side.$queryRaw<TakenChannel[]>`
      (SELECT DISTINCT ON (a.call_id) a.call_id AS "callId", c.reservation_id AS "reservationId", a.trunk
       FROM calls c JOIN call_attempts a ON a.call_id = c.id
       WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL ORDER BY a.call_id, a.number DESC)
      UNION ALL
      SELECT t.id, t.reservation_id, t.trunk FROM transfer_legs t WHERE t.settled_at IS NULL AND t.trunk IS NOT NULL`,
  };
}

async function beginAttempts(
  { hot }: Database,
  inputs: readonly AttemptInput[],
): Promise<readonly DialAttemptOutcome[]> {
  const batch = JSON.stringify(
    inputs.map(({ callId, epoch, number, carrier, trunk, dialog, token: { generation, walTimeline } }) => ({
      id: callId,
      epoch,
      number,
      carrier,
      trunk,
      dialog,
      generation,
      timeline: walTimeline,
    })),
  );
  const answers = await hot.$queryRaw<AnswerRow[]>`
    SELECT call_id AS "callId", outcome, end_requested AS "endRequested" FROM begin_attempts(${batch}::jsonb)`;
  const byCall = new Map(answers.map((answer) => [answer.callId, answer]));
  return inputs.map(({ callId }) => {
    const answer = byCall.get(callId);
    invariant(answer, 'begin_attempts returns every row');
    const { outcome: kind, endRequested } = answer;
    return kind === 'written' ? { kind, endRequested } : { kind };
  });
}
