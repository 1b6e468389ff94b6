import type { AcceptStore } from '../ports/accept-store.ts';
import type { CallQueue } from '../ports/call-queue.ts';
import type { DriveStore } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import type { ReconcileStore } from '../ports/reconcile-store.ts';
import { reconcileGate } from './reconcile-gate.ts';
import { reconcileQueue } from './reconcile-queue.ts';
import { takeOverCalls, type TakeOverDeps } from './take-over-calls.ts';

export interface ReconcileDeps extends Omit<TakeOverDeps, 'gate' | 'store'> {
  readonly gate: Gate;
  readonly store: Pick<DriveStore, 'takeOver' | 'settle' | 'endQueued'>;
  readonly acceptStore: Pick<AcceptStore, 'voidReservation'>;
  readonly reconcileStore: ReconcileStore;
  readonly queue: CallQueue;
}

export interface ReconcilePart {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** One sweep ends so many; the next one, seconds later, goes on. */
const MAX_ORPHANS_PER_SWEEP = 100;

/**
 * What a crash left open, brought back by what Postgres says. Every worker may do any part of it at any time, also
 * several at once: each is idempotent. They do not wait for each other: the far end of an orphan's leg may take half a
 * minute to answer, and money and slots are not to be held for so long.
 */
export function reconcileParts(deps: ReconcileDeps): readonly ReconcilePart[] {
  return [
    { name: 'orphaned calls', run: () => takeOverCalls(deps, { limit: MAX_ORPHANS_PER_SWEEP }) },
    { name: 'queued calls', run: () => reconcileQueue(deps) },
    { name: 'gate', run: () => reconcileGate(deps) },
  ];
}

/** All parts once. One that fails is left to the next sweep. */
export async function reconcile(deps: ReconcileDeps): Promise<void> {
  await Promise.all(reconcileParts(deps).map((part) => attempt(deps, part)));
}

async function attempt({ logger }: ReconcileDeps, { name, run }: ReconcilePart): Promise<void> {
  try {
    await run();
  } catch (error) {
    logger.warn({ err: error, part: name }, 'reconcile left to the next sweep');
  }
}
