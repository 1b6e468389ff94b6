import type { Logger } from '@outdial/kernel';
import type { CallQueue } from '../ports/call-queue.ts';
import type { Gate, RebuildTicket } from '../ports/gate.ts';
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
  /** Another process took the right to rebuild less than ten seconds ago and is rebuilding. */
  | 'under_way'
  /** The gate is open. */
  | 'not_needed'
  /** A later rebuild, or another Redis instance, made this one void. The next check of the gate decides what to do. */
  | 'superseded';

/**
 * Opens a closed gate with the state of Postgres. Any process may call it at any time, while calls are live.
 *
 * The generation comes before the snapshot: once it is committed, reservations under an earlier generation are no longer
 * accepted, so no call can slip in between the snapshot and its publication.
 *
 * Rejects when a store is away, after releasing the right to rebuild: another process that reaches both stores may begin
 * at once. A process that dies cannot release it; its mark then expires.
 */
export async function rebuildGate(deps: RebuildGateDeps): Promise<RebuildOutcome> {
  const { gate, logger } = deps;
  const begun = await gate.beginRebuild();
  if (begun.kind !== 'begun') return begun.kind;
  let isPublished = false;
  try {
    isPublished = await readAndPublish(deps, begun.ticket);
  } finally {
    if (!isPublished) await abandon(deps, begun.ticket);
  }
  deps.observer?.rebuilt(isPublished ? 'rebuilt' : 'superseded');
  if (!isPublished) return 'superseded';
  // A Redis that lost the gate has probably lost the queue too: no worker would be woken for the waiting calls.
  await requeueAll(deps).catch((error: unknown) => {
    logger.warn({ event: 'queue.requeue_failed', err: error }, 'queued calls left to reconcile');
  });
  return 'rebuilt';
}

async function readAndPublish(
  { gate, reconcileStore, logger }: RebuildGateDeps,
  ticket: RebuildTicket,
): Promise<boolean> {
  const token = await reconcileStore.nextGeneration();
  const snapshot = await reconcileStore.snapshot(token);
  const isPublished = (await gate.publish(ticket, snapshot)) === 'published';
  const { generation } = token;
  if (isPublished) logger.info({ event: 'gate.rebuilt', generation, openCalls: snapshot.holds.length }, 'gate rebuilt');
  else logger.warn({ event: 'gate.rebuild_superseded', generation }, 'rebuild of the gate superseded');
  return isPublished;
}

/** Never rejects: the caller must see the error that made the rebuild fail. */
async function abandon({ gate, logger }: RebuildGateDeps, ticket: RebuildTicket): Promise<void> {
  await gate.abandonRebuild(ticket).catch((error: unknown) => {
    logger.warn({ event: 'gate.abandon_failed', err: error }, 'the right to rebuild the gate is left to expire');
  });
}
