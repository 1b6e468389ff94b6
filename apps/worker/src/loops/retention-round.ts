import type { RecordingInventory } from '@outdial/calls';
import type { AccountId } from '@outdial/contracts';
import { pause, type Clock } from '@outdial/kernel';
import type { WorkerMetrics } from '@outdial/metrics';
import { daysOf, LEAST_KEY_DAYS, type OldCalls, type RetentionStore } from '@outdial/persistence';

export type Deleted = Parameters<WorkerMetrics['retentionDeleted']>[0];

export interface RetentionRoundDeps {
  readonly store: RetentionStore;
  readonly inventory: Pick<RecordingInventory, 'remove'>;
  /** Whether this worker may go on: it still has the duty. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly deleted: (kind: Deleted, count: number) => void;
  readonly clock: Clock;
}

/** Accounts of one look. */
const ACCOUNTS = 200;
const FEWEST_ROWS = 20;
const MOST_ROWS = 500;
/** A batch that takes longer is followed by a smaller one: far below the time limit of a statement. */
const LONG_BATCH_MS = 400;
/** Of the time of a batch: deleting takes a fifth of one connection, and of what it costs Postgres. */
const PAUSE_SHARE = 4;
const SHORTEST_PAUSE_MS = 20;

/**
 * Deletes what is older than its retention, in small batches with pauses between them.
 * @returns false if it was cut short.
 */
export async function runRetentionRound(deps: RetentionRoundDeps, stopping: AbortSignal): Promise<boolean> {
  const { store } = deps;
  const settings = await store.settings();
  const paced = createPace(deps, stopping);
  const calls = daysOf(settings, 'calls', null);
  const keyDays = Math.max(LEAST_KEY_DAYS, settings.idempotency_keys ?? LEAST_KEY_DAYS);
  const isDone =
    (calls === null || (await deleteCalls(deps, paced, { days: calls, keyDays }))) &&
    (await deleteFrom(deps, paced, 'events', daysOf(settings, 'timelines', null))) &&
    (await deleteFrom(deps, paced, 'audit_entries', daysOf(settings, 'audit', null))) &&
    (await deleteKeys(deps, paced));
  if (isDone) await store.completed();
  return isDone;
}

interface Pace {
  /** Null: the round ends here. */
  run<Result>(batch: (rows: number) => Promise<Result>): Promise<Result | null>;
}

/** Runs batches one after the other, of as many rows as take a moment, with pauses. */
function createPace({ clock, mayGoOn }: RetentionRoundDeps, stopping: AbortSignal): Pace {
  let rows = FEWEST_ROWS;
  return {
    async run(batch) {
      if (stopping.aborted || !(await mayGoOn())) return null;
      const beganMs = clock.monotonicMs();
      const result = await batch(rows);
      const tookMs = clock.monotonicMs() - beganMs;
      rows = tookMs > LONG_BATCH_MS ? Math.max(FEWEST_ROWS, rows >> 1) : Math.min(MOST_ROWS, rows * 2);
      await pause(clock, Math.max(SHORTEST_PAUSE_MS, tookMs * PAUSE_SHARE), stopping);
      return result;
    },
  };
}

interface CallDays {
  readonly days: number;
  readonly keyDays: number;
}

async function deleteCalls(deps: RetentionRoundDeps, pace: Pace, of: CallDays): Promise<boolean> {
  let account: AccountId | null = null;
  for (;;) {
    const after: AccountId | null = account;
    const accounts = await deps.store.accountsWithOldCalls(after, of.days, ACCOUNTS);
    for (const accountId of accounts) if (!(await deleteCallsOf(deps, pace, { ...of, accountId }))) return false;
    account = accounts.at(-1) ?? null;
    if (accounts.length < ACCOUNTS) return true;
  }
}

async function deleteCallsOf(
  deps: RetentionRoundDeps,
  pace: Pace,
  { accountId, days, keyDays }: CallDays & { readonly accountId: AccountId },
): Promise<boolean> {
  let after: Awaited<ReturnType<RetentionStore['oldCalls']>>['next'] = null;
  do {
    const position = after;
    const step = await pace.run(async (limit) => {
      const { next, ...found } = await deps.store.oldCalls({ accountId, after: position, days, limit });
      await deleteDue(deps, { accountId, days, keyDays, ...found });
      return { next };
    });
    if (step === null) return false;
    after = step.next;
  } while (after !== null);
  return true;
}

async function deleteDue(
  { store, inventory, deleted }: RetentionRoundDeps,
  { due, recorded, ...of }: CallDays & { readonly accountId: AccountId } & Omit<OldCalls, 'next'>,
): Promise<void> {
  if (due.length === 0) return;
  // The files first: after the calls, nothing would say that they were there.
  if (recorded.length > 0) await inventory.remove(recorded);
  const count = await store.deleteCalls({ ...of, callIds: due });
  if (count > 0) deleted('calls', count);
}

async function deleteFrom(
  { store, deleted }: RetentionRoundDeps,
  pace: Pace,
  kind: 'events' | 'audit_entries',
  days: number | null,
): Promise<boolean> {
  if (days === null) return true;
  let after = 0n;
  for (;;) {
    const from = after;
    const done = await pace.run((limit) =>
      kind === 'events' ? store.deleteEvents(days, from, limit) : store.deleteAudit(days, from, limit),
    );
    if (done === null) return false;
    if (done.deleted > 0) deleted(kind, done.deleted);
    if (done.lastId === null) return true;
    after = done.lastId;
  }
}

async function deleteKeys({ store, deleted }: RetentionRoundDeps, pace: Pace): Promise<boolean> {
  for (;;) {
    const count = await pace.run((limit) => store.deleteKeys(limit));
    if (count === null) return false;
    if (count === 0) return true;
    deleted('idempotency_keys', count);
  }
}
