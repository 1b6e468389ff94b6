import { setTimeout as sleep } from 'node:timers/promises';
import type { CallId } from '@outdial/contracts';
import { readGate } from '../check/gate.ts';
import type { Account } from '../stack/account.ts';
import type { Service } from '../stack/service.ts';
import type { Stack } from '../stack/stack.ts';
import type { Caught, Trap } from '../stack/trap.ts';
import { catchFirst } from './catch-first.ts';
import type { FaultContext } from './fault.ts';
import { untilEnded } from './observe.ts';

/** What stands in the way of a call that a dead or stopped worker took: its turn, its own time, and a moment. */
export const TAKEN_AGAIN_WITHIN_MS = 10_000 + 2_000 + 3_000;
/** A reservation without a call is released at this age, by a sweep; then the call is taken again. */
export const RESERVED_AGAIN_WITHIN_MS = 40_000 + 5_000 + TAKEN_AGAIN_WITHIN_MS;

/** A safety limit: the calls are due long before. */
const CAUGHT_WITHIN_MS = 60_000;

const CALLS = 24;
/** Of them, which call a busy number, and call it again. */
const RETRIED = 6;
export const RETRY = { maxAttempts: 2, afterSeconds: 60 } as const;

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
  /** For the first of the calls. */
  readonly arm: (worker: Service, call: { readonly id: CallId; readonly accountId: string }) => Trap;
  readonly withRetries?: boolean;
}

/**
 * Schedules calls of a new account for one time, so that a turn takes them together, and strikes the worker that runs into
 * the trap for the first of them.
 */
export async function strikeScheduler(
  { stack, clients }: FaultContext,
  { dueInMs, arm, withRetries = false }: StrikePlan,
  strike: (worker: Service) => Promise<void> | void,
): Promise<Struck> {
  const dueMs = Date.now() + dueInMs;
  const account = await stack.account();
  const usual = { toNumber: stack.number('impatient'), scheduledFor: new Date(dueMs) };
  const again = { ...usual, toNumber: stack.number('busy'), retry: RETRY };
  // Due before the others, and so admitted with the first ones. The trap is set when the others are still on their way.
  const [id] = await clients.placeMany(account, 1, () => ({ ...usual, scheduledFor: new Date(dueMs - 1) }));
  if (id === undefined) throw new Error('one call was placed');
  const catching = catchFirst(stack.workers, (worker) => arm(worker, { id, accountId: account.id }));
  const striking = catching.then(async (found) => {
    await strike(found.worker);
    return { ...found, atMs: Date.now() };
  });
  const others = await clients.placeMany(account, CALLS - 1, (index) =>
    withRetries && index < RETRIED ? again : usual,
  );
  const callIds = [id, ...others];
  return { account, callIds, ...(await inTime(striking)) };
}

/** @throws if no worker is struck */
export async function inTime<Found>(striking: Promise<Found>): Promise<Found> {
  const tooLate = sleep(CAUGHT_WITHIN_MS, null, { ref: false });
  const found = await Promise.race([striking, tooLate]);
  if (found === null)
    throw new Error('no worker ran into the trap: does it still send the text that the trap matches?');
  return found;
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
