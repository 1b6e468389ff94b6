import { randomUUID } from 'node:crypto';
import {
  createAcceptCall,
  type AcceptCallDeps,
  type AcceptCallOutcome,
  type AcceptCallRequest,
  type AcceptStore,
  type CallQueue,
  type Gate,
  type Observer,
} from '@outdial/calls';
import { callIdSchema, reservationIdSchema } from '@outdial/contracts';
import { uuidV7, type Clock, type Logger } from '@outdial/kernel';
import {
  cachedTrunkAvailability,
  createAcceptStore,
  createCallReader,
  createDirectory,
  createReconcileStore,
  createTrunkAvailabilityStore,
  type CommitHook,
  type Database,
  type ObserveCommit,
} from '@outdial/persistence';
import { createBatchedQueue } from './batched-queue.ts';
import { createGateRebuild } from './gate-rebuild.ts';
import { walkRequest } from './request-walk.ts';
import { createWarmUp } from './warm-up.ts';

/** Spans around what admission asks of the stores. Each outcome stays as it is. */
export interface AdmissionTraces {
  gate(gate: Gate): Gate;
  store(store: AcceptStore): AcceptStore;
  queue(queue: Pick<CallQueue, 'add'>): Pick<CallQueue, 'add'>;
  readonly observeCommit: ObserveCommit;
}

/** The caller opens and closes every connection behind these. */
export interface AdmissionOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: Database;
  /** On a connection that keeps commands in order: a release must follow the reserve that it undoes. */
  readonly gate: Gate;
  /** On another connection than the gate, which a batch of jobs would delay. */
  readonly queue: CallQueue;
  /** The caller's own, whose cache it may share with authentication. */
  readonly directory: AcceptCallDeps['directory'];
  /** Finds the credentials of agents that models conduct. Without it no provider is configured. */
  readonly credentials?: NonNullable<AcceptCallDeps['credentials']>;
  /** How long an accepted call may wait for a worker. */
  readonly queueTtlSeconds: number;
  /** Receives accepted calls after their COMMIT. */
  readonly onCommitted?: CommitHook;
  readonly observer?: Observer;
  /** Defaults to what workers report to Postgres, read at most once in half a second. */
  readonly readTrunkAvailability?: NonNullable<AcceptCallDeps['readTrunkAvailability']>;
  /** Wraps what admission asks of the stores. */
  readonly traces?: AdmissionTraces | undefined;
  /** Defaults to UUIDs: version 7 for calls, version 4 for reservations. */
  readonly ids?: Pick<AcceptCallDeps, 'newCallId' | 'newReservationId'>;
}

/** Turns requests into accepted calls, and keeps itself ready to do so. */
export interface Admission {
  /** Answers by the deadline of the request, whichever store hangs. The outcomes are in `AcceptCallOutcome`. */
  readonly acceptCall: (request: AcceptCallRequest) => Promise<AcceptCallOutcome>;
  /** Rebuilds a closed gate in the background, unless a rebuild is running. Requests do so themselves. */
  readonly requestRebuild: () => void;
  /** Call at the start, and whenever a connection to a store is lost: tries the whole path until it works. */
  readonly warmUp: () => void;
  /** Whether the next request is answered as fast as any other. */
  readonly isWarm: () => boolean;
  /** Call once no request is in flight. Resolves when the queue has taken or rejected every accepted call. */
  close(): Promise<void>;
}

/** Joins the stores to the one path by which calls are accepted. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { clock, logger, database, gate, directory, observer, traces } = options;
  const { onCommitted } = options;
  const store = createAcceptStore(database, { clock, onCommitted, observeCommit: traces?.observeCommit });
  const reconcileStore = createReconcileStore(database);
  const reader = createCallReader(database);
  const queue = createBatchedQueue(options.queue, logger);
  const rebuild = createGateRebuild({
    gate,
    reconcileStore,
    queue: options.queue,
    logger,
    clock,
    database,
    ...(observer && { observer }),
  });
  const path = { clock, gate, store, limits: reconcileStore, reader, requestRebuild: rebuild.request };
  const uncached = createDirectory(database);
  const warmUp = createWarmUp({ clock, logger, walk: () => walkRequest({ ...path, directory: uncached }) });

  return {
    acceptCall: createAcceptCall({
      ...path,
      ...(traces && { gate: traces.gate(gate), store: traces.store(store) }),
      directory,
      ...(options.credentials && { credentials: options.credentials }),
      queue: traces ? traces.queue(queue) : queue,
      queueTtlSeconds: options.queueTtlSeconds,
      readTrunkAvailability:
        options.readTrunkAvailability ?? cachedTrunkAvailability(createTrunkAvailabilityStore(database), clock),
      newCallId: () => callIdSchema.parse(uuidV7(clock)),
      newReservationId: () => reservationIdSchema.parse(randomUUID()),
      ...options.ids,
    }),
    requestRebuild: rebuild.request,
    warmUp: () => warmUp.begin(),
    isWarm: warmUp.isWarm,
    async close() {
      await Promise.all([warmUp.stop(), rebuild.stop()]);
      await queue.idle();
    },
  };
}
