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

/** The maximum per sweep; the next one, seconds later, continues. */
const MAX_ORPHANS_PER_SWEEP = 100;

/**
 * Repairs what a crash left behind, by the state of Postgres. Every worker may run any part at any time, also several at
 * once: each part is idempotent. The parts do not wait for each other: the far end of an orphan's leg may take half a
 * minute to answer, and money and slots must not be held for so long.
 */
export function reconcileParts(deps: ReconcileDeps): readonly ReconcilePart[] {
  return [
    { name: 'orphaned calls', run: () => takeOverCalls(deps, { limit: MAX_ORPHANS_PER_SWEEP }) },
    { name: 'queued calls', run: () => reconcileQueue(deps) },
    { name: 'gate', run: () => reconcileGate(deps) },
  ];
}

/** Runs all parts once. A failed part is left to the next sweep. */
export async function reconcile(deps: ReconcileDeps): Promise<void> {
  await Promise.all(reconcileParts(deps).map((part) => attempt(deps, part)));
}

async function attempt({ logger }: ReconcileDeps, { name, run }: ReconcilePart): Promise<void> {
  try {
    await run();
  } catch (error) {
    logger.warn({ event: 'reconcile.part_failed', err: error, part: name }, 'reconcile left to the next sweep');
  }
}
