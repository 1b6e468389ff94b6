import { TURN_MS, type ScheduleStore, type TakenCall, type Turn } from '@outdial/calls';
import type { AccountId, AgentId, CallId, E164 } from '@outdial/contracts';
import type { Database } from '../database.ts';

type Input<Method extends keyof ScheduleStore> = Parameters<ScheduleStore[Method]>[0];

type BegunRow = Pick<Turn, 'accountId'> & { readonly epoch: bigint };

export async function beginTurns(
  { side }: Database,
  { workerId, limit }: Input<'beginTurns'>,
): Promise<readonly Turn[]> {
  const begun = await side.$queryRaw<BegunRow[]>`
    SELECT account_id AS "accountId", epoch FROM begin_turns(${workerId}, ${limit}::int)`;
  if (begun.length === 0) return [];
  const epochs = new Map(begun.map(({ accountId, epoch }) => [accountId, Number(epoch)]));
  const due = await side.$queryRaw<Omit<Turn, 'epoch'>[]>`
    SELECT account_id AS "accountId", free_slots AS "freeSlots", due_calls AS "dueCalls",
      queue_ttl_seconds AS "queueTtlSeconds"
    FROM due_calls_of(${[...epochs.keys()]}::uuid[])`;
  return due.flatMap((row) => {
    const epoch = epochs.get(row.accountId);
    return epoch === undefined ? [] : [{ ...row, epoch }];
  });
}

interface TakenRow {
  readonly callId: CallId;
  readonly admitToken: string;
  readonly scheduledForMs: number;
  readonly agentId: AgentId;
  readonly agentVersion: number;
  readonly callerNumber: E164;
  readonly calleeNumber: E164;
  readonly maxDurationSeconds: number;
  readonly ringTimeoutSeconds: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly giveUpAtMs: number;
  readonly calleeTimeZone: string | null;
}

export async function takeDue(
  { side }: Database,
  { accountId, epoch, limit }: Input<'takeDue'>,
): Promise<readonly TakenCall[]> {
  const rows = await side.$queryRaw<TakenRow[]>`
    SELECT t.call_id AS "callId", t.admit_token::text AS "admitToken", epoch_ms(t.scheduled_for) AS "scheduledForMs",
      t.agent_id AS "agentId", t.agent_version AS "agentVersion", t.caller_number AS "callerNumber",
      t.callee_number AS "calleeNumber", t.max_duration_seconds AS "maxDurationSeconds",
      t.ring_timeout_seconds AS "ringTimeoutSeconds", t.variables, t.request_id AS "requestId",
      -- Neither ever changes, so that this older snapshot has them too. Not joined: Postgres would expect a thousand calls.
      (SELECT epoch_ms(s.give_up_at) FROM call_schedules s WHERE s.call_id = t.call_id) AS "giveUpAtMs",
      (SELECT c.callee_time_zone FROM calls c WHERE c.id = t.call_id) AS "calleeTimeZone"
    FROM take_due_calls(${accountId}::uuid, ${epoch}::bigint, ${limit}::int) t`;
  return rows.map(({ maxDurationSeconds, ringTimeoutSeconds, ...row }) => ({
    ...row,
    accountId,
    limits: { maxDurationSeconds, ringTimeoutSeconds },
  }));
}

/**
 * The account is due again with the first of its calls. A call that is still being admitted counts once the turn may take it
 * again. `new_due` has what was scheduled since the turn began, also what this statement's snapshot does not have: the
 * statement that schedules a call locks the row.
 */
export async function endTurn({ side }: Database, input: Input<'endTurn'>): Promise<void> {
  const { accountId, epoch, notBeforeMs } = input;
  await side.$executeRaw`
    UPDATE dial_turns t
    SET holder = NULL, held_until = clock_timestamp(), due_at = LEAST(t.new_due, GREATEST(
      clock_timestamp() + ${notBeforeMs}::int * interval '1 millisecond',
      (SELECT COALESCE(min(GREATEST(x.due_at, x.admitting_until + interval '2 seconds')), 'infinity') FROM (
         SELECT s.due_at, s.admitting_until FROM call_schedules s
         WHERE s.account_id = ${accountId}::uuid AND s.is_waiting AND s.give_up_at > (SELECT clock_timestamp())
         ORDER BY s.due_at LIMIT 200) x)))
    WHERE t.account_id = ${accountId}::uuid AND t.epoch = ${epoch}::bigint`;
}

/** Longer than any turn, and than any wait between two turns of an account whose calls are due. */
const OVERLOOKED_MS = 60_000 + TURN_MS;

export async function mendTurns({ side }: Database): Promise<number> {
  const rows = await side.$queryRaw<{ accountId: AccountId }[]>`
    WITH overlooked AS MATERIALIZED (
      SELECT d.account_id, x.due_at FROM dial_turns d, LATERAL (
        SELECT s.due_at FROM call_schedules s
        WHERE s.account_id = d.account_id AND s.is_waiting AND s.give_up_at > (SELECT clock_timestamp())
        ORDER BY s.due_at LIMIT 1
      ) x
      WHERE d.held_until <= clock_timestamp()
        AND d.due_at > GREATEST(x.due_at, clock_timestamp()) + ${OVERLOOKED_MS}::int * interval '1 millisecond'
      ORDER BY d.account_id FOR NO KEY UPDATE OF d SKIP LOCKED
    )
    UPDATE dial_turns t SET due_at = o.due_at FROM overlooked o WHERE t.account_id = o.account_id
    RETURNING t.account_id AS "accountId"`;
  return rows.length;
}
