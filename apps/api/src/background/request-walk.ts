import { randomBytes } from 'node:crypto';
import type { AcceptStore, CallReader, Directory, Gate, ReconcileStore } from '@outdial/calls';
import {
  accountIdSchema,
  agentIdSchema,
  callIdSchema,
  e164Schema,
  micros,
  reservationIdSchema,
} from '@outdial/contracts';
import { uuidV7, type Clock } from '@outdial/kernel';

export interface RequestWalkDeps {
  readonly clock: Clock;
  /** Not the cached one: nothing of nobody's is worth keeping. */
  readonly directory: Directory;
  readonly gate: Pick<Gate, 'reserve'>;
  readonly store: AcceptStore;
  readonly limits: Pick<ReconcileStore, 'limitsOf'>;
  readonly reader: CallReader;
  readonly requestRebuild: () => void;
}

/**
 * Walks the way of a request for an account that does not exist, and leaves nothing behind. Rejects while a store is
 * away or the gate is closed, having asked for the gate's rebuild: after a restart nobody else may come by.
 */
export async function walkRequest(deps: RequestWalkDeps): Promise<void> {
  const { clock, directory, gate, store, limits, reader } = deps;
  const nobody = accountIdSchema.parse(uuidV7(clock));
  const noAgent = agentIdSchema.parse(uuidV7(clock));
  const noCall = callIdSchema.parse(uuidV7(clock));
  const reservationId = reservationIdSchema.parse(uuidV7(clock));
  const holdMicros = micros(0);
  // Unknown to the gate: nothing is reserved.
  const reserved = await gate.reserve({ callId: noCall, accountId: nobody, reservationId, holdMicros });
  if (reserved.kind === 'closed') {
    deps.requestRebuild();
    throw new Error('the gate is closed');
  }
  const never = Number.POSITIVE_INFINITY;
  const number = e164Schema.parse('+12025550100');
  await Promise.all([
    directory.findKey(randomBytes(32)),
    directory.findAccount(nobody),
    directory.findAgent(nobody, noAgent),
    directory.systemNumber(),
    limits.limitsOf([nobody]),
    // Beside the accept below: look-ups and accepts are under way at the same time, each on a connection of their own.
    store.findIdempotent({ accountId: nobody, callId: noCall, sendByMs: never }),
    reader.find(nobody, noCall),
    reader.overview(nobody),
    reader.page({ accountId: nobody, filter: {}, after: null, limit: 1, maxBytes: 1, detail: 'whole' }),
    store.accept({
      callId: noCall,
      accountId: nobody,
      agentId: noAgent,
      agentVersion: 1,
      callerNumber: number,
      calleeNumber: number,
      currency: 'USD',
      rate: {
        prefix: '1',
        connectionFeeMicros: holdMicros,
        pricePerMinuteMicros: holdMicros,
        initialIncrementSeconds: 60,
        incrementSeconds: 60,
      },
      holdMicros,
      reservationId,
      // No gate was ever published under generation 0: Postgres refuses the row before it looks at anything else of it.
      token: { generation: 0, walTimeline: '00000000' },
      limits: { maxDurationSeconds: 60, ringTimeoutSeconds: 30 },
      variables: {},
      metadata: {},
      idempotency: null,
      requestId: noCall,
      queueTtlSeconds: 1,
      sendByMs: never,
    }),
  ]);
}
