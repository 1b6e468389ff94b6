import type { CallId } from '@outdial/contracts';
import { readGate } from '../check/gate.ts';
import type { Account } from '../stack/account.ts';
import type { Service } from '../stack/service.ts';
import type { Stack } from '../stack/stack.ts';
import type { Caught, TrapPlace } from '../stack/trap.ts';
import { catchFirst } from './catch-first.ts';
import type { FaultContext } from './fault.ts';
import { untilEnded } from './observe.ts';

/** What stands in the way of a call that a dead or stopped worker took: its turn, its own time, and a moment. */
export const TAKEN_AGAIN_WITHIN_MS = 10_000 + 2_000 + 3_000;
/** A reservation without a call is released at this age, by a sweep; then the call is taken again. */
export const RESERVED_AGAIN_WITHIN_MS = 40_000 + 5_000 + TAKEN_AGAIN_WITHIN_MS;

const CALLS = 24;
/** Of the last ones, which call a busy number, and call it again. */
const RETRIED = 6;
const AFTER_SECONDS = 60;

/** What a strike found, and where. */
export interface Struck {
  readonly account: Account;
  readonly worker: Service;
  readonly caught: Caught;
  readonly callIds: readonly CallId[];
  readonly atMs: number;
}

/** Where a worker is to be struck that admits calls which are due `dueInMs` from now. */
export interface StrikePlan {
  readonly dueInMs: number;
  readonly trap: (firstId: CallId) => TrapPlace;
  readonly withRetries?: boolean;
}

/**
 * Schedules calls of a new account, all for one time, so that a turn takes them together. @returns what caught the worker
 * that admits them
 */
export async function catchScheduler(
  { stack, clients }: FaultContext,
  { dueInMs, trap, withRetries = false }: StrikePlan,
  strike: (worker: Service) => Promise<void> | void,
): Promise<Struck> {
  const scheduledFor = new Date(Date.now() + dueInMs);
  const account = await stack.account();
  const callIds = await clients.placeMany(account, CALLS, (index) =>
    withRetries && index >= CALLS - RETRIED
      ? {
          toNumber: stack.number('busy'),
          scheduledFor,
          retry: { maxAttempts: 2, afterSeconds: AFTER_SECONDS },
        }
      : { toNumber: stack.number('impatient'), scheduledFor },
  );
  // Calls that are due at one time go by their ids.
  const [firstId] = callIds.toSorted();
  if (firstId === undefined) throw new Error('there are calls');
  const { worker, caught } = await catchFirst(stack.workers, ({ databaseWire }) => databaseWire.trap(trap(firstId)));
  await strike(worker);
  return { account, worker, caught, callIds, atMs: Date.now() };
}

export interface ScheduledRow {
  readonly id: string;
  readonly status: string;
  readonly isTaken: boolean;
  readonly reservationId: string | null;
  readonly queuedAtMs: number | null;
  readonly startedAtMs: number | null;
}

export function scheduledOf({ sql }: Pick<Stack, 'sql'>, callIds: readonly string[]): Promise<ScheduledRow[]> {
  return sql<ScheduledRow>(
    `SELECT c.id::text, c.status::text, s.admit_token IS NOT NULL AS "isTaken", c.reservation_id::text AS "reservationId",
       epoch_ms(c.queued_at)::float8 AS "queuedAtMs", epoch_ms(c.started_at)::float8 AS "startedAtMs"
     FROM calls c JOIN call_schedules s ON s.call_id = c.id WHERE c.id = ANY($1::uuid[])`,
    [callIds],
  );
}

/** By call: its reservation in the gate. */
export async function reservedOf(stack: Stack, { account }: Struck): Promise<ReadonlyMap<string, string>> {
  const { holds } = await readGate(stack);
  return new Map(
    [...holds].flatMap(([callId, hold]) =>
      hold.accountId === account.id ? [[callId, hold.reservationId] as const] : [],
    ),
  );
}

/** How long the last of them waited after the strike for what `at` says. */
export function longestMs({ atMs }: Struck, rows: readonly ScheduledRow[], at: 'queuedAtMs' | 'startedAtMs'): number {
  return Math.max(0, ...rows.map((row) => (row[at] ?? Number.POSITIVE_INFINITY) - atMs));
}

/** Waits for their ends. @returns those whose telephone did not ring exactly once */
export async function notDialedOnce(stack: Stack, callIds: readonly string[]): Promise<readonly string[]> {
  await untilEnded(stack, callIds);
  const times = new Map<string, number>();
  for (const { key } of await stack.legs()) times.set(key, (times.get(key) ?? 0) + 1);
  return callIds.flatMap((id) => (times.get(id) === 1 ? [] : [`dialed ${times.get(id) ?? 0} times: ${id}`]));
}
