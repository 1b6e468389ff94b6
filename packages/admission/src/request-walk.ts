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
  /** Not the cached directory: entries of an account that does not exist are not worth caching. */
  readonly directory: Directory;
  readonly gate: Pick<Gate, 'reserve'>;
  readonly store: AcceptStore;
  readonly limits: Pick<ReconcileStore, 'limitsOf'>;
  readonly reader: CallReader;
  readonly requestRebuild: () => void;
}

/**
 * Takes the path of a create request for an account that does not exist, and leaves nothing behind. Rejects while a
 * store is away or the gate is closed. At a closed gate it first requests a rebuild: after a restart no other request
 * may arrive to do so.
 */
export async function walkRequest(deps: RequestWalkDeps): Promise<void> {
  const { clock, directory, gate, store, limits, reader } = deps;
  const unknownAccount = accountIdSchema.parse(uuidV7(clock));
  const noAgent = agentIdSchema.parse(uuidV7(clock));
  const noCall = callIdSchema.parse(uuidV7(clock));
  const reservationId = reservationIdSchema.parse(uuidV7(clock));
  const holdMicros = micros(0);
  // The gate does not know the account, so it reserves nothing.
  const reserved = await gate.reserve({ callId: noCall, accountId: unknownAccount, reservationId, holdMicros });
  if (reserved.kind === 'closed') {
    deps.requestRebuild();
    throw new Error('the gate is closed');
  }
  const never = Number.POSITIVE_INFINITY;
  const number = e164Schema.parse('+12025550100');
  await Promise.all([
    directory.findKey(randomBytes(32)),
    directory.findAccount(unknownAccount),
    directory.findAgent(unknownAccount, noAgent),
    directory.systemNumber(),
    limits.limitsOf([unknownAccount]),
    // Concurrent with the accept below: look-ups and accepts run at the same time, each on its own connections.
    store.findIdempotent({ accountId: unknownAccount, callId: noCall, sendByMs: never }),
    reader.find(unknownAccount, noCall),
    reader.overview(unknownAccount, null),
    reader.page({ accountId: unknownAccount, filter: {}, after: null, limit: 1, maxBytes: 1, detail: 'whole' }),
    store.accept({
      callId: noCall,
      accountId: unknownAccount,
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
      // No gate is ever published as generation 0, so Postgres rejects the row before it checks anything else.
      token: { generation: 0, walTimeline: '00000000' },
      limits: { maxDurationSeconds: 60, ringTimeoutSeconds: 30 },
      conducted: null,
      variables: {},
      metadata: {},
      webhookUrl: null,
      idempotency: null,
      requestId: noCall,
      queueTtlSeconds: 1,
      schedule: null,
      place: { zones: [], regions: [], givenZone: null, certain: false },
      sendByMs: never,
    }),
  ]);
}
