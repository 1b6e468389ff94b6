import type { Logger } from '@outdial/kernel';
import type { CallQueue } from '../ports/call-queue.ts';
import type { Gate } from '../ports/gate.ts';
import type { Observer } from '../ports/observer.ts';
import type { ReconcileStore } from '../ports/reconcile-store.ts';
import { requeueAll } from './reconcile-queue.ts';

export interface RebuildGateDeps {
  readonly gate: Gate;
  readonly reconcileStore: Pick<ReconcileStore, 'nextGeneration' | 'snapshot' | 'queuedCalls'>;
  readonly queue: CallQueue;
  readonly observer?: Observer;
  readonly logger: Logger;
}

export type RebuildOutcome =
  | 'rebuilt'
  /** Another process took the right to rebuild less than ten seconds ago. */
  | 'under_way'
  /** The gate is open. */
  | 'not_needed'
  /** A later rebuild, or another Redis, made this one void. The next look at the gate says what to do. */
  | 'superseded';

/**
 * Opens a closed gate with what Postgres says. Any process may call it at any time; live calls go on meanwhile.
 *
 * The generation comes before the snapshot: once it is committed nothing that was reserved under an earlier one is
 * accepted any more, so no call can slip in between the snapshot and its publication.
 *
 * Rejects when a store is away; the mark that was left then expires, and somebody begins again.
 */
export async function rebuildGate(deps: RebuildGateDeps): Promise<RebuildOutcome> {
  const { gate, reconcileStore, logger } = deps;
  const begun = await gate.beginRebuild();
  if (begun.kind !== 'begun') return begun.kind;
  const token = await reconcileStore.nextGeneration();
  const snapshot = await reconcileStore.snapshot(token);
  const published = await gate.publish(begun.ticket, snapshot);
  deps.observer?.rebuilt(published === 'published' ? 'rebuilt' : 'superseded');
  if (published === 'superseded') {
    logger.warn({ generation: token.generation }, 'rebuild of the gate superseded');
    return 'superseded';
  }
  logger.info({ generation: token.generation, openCalls: snapshot.holds.length }, 'gate rebuilt');
  // A Redis that lost the gate has most likely lost the queue with it: nobody would be woken for the waiting calls.
  await requeueAll(deps).catch((error: unknown) => {
    logger.warn({ err: error }, 'queued calls left to reconcile');
  });
  return 'rebuilt';
}
