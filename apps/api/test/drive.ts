import { createDriveStore, createReconcileStore, type Database, type DriveStoreOptions } from '@outdial/persistence';
import { chargeFor, type Settlement } from '@outdial/calls';
import { DRIVERS, type CallId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';

export interface DriveOptions extends DriveStoreOptions {
  readonly talkMs?: number;
  readonly recordingKey?: string;
  readonly settlement?: Partial<Settlement>;
}

/** Claims a queued call as a worker would that knows every driver; no call needs a line. */
export async function claimCall(database: Database, callId: CallId, options: DriveStoreOptions = {}) {
  const store = createDriveStore(database, options);
  const lines = { names: [], token: await createReconcileStore(database).currentToken() };
  const worker = { workerId: 'test', leaseMs: 60_000, writeAheadDial: false, drivers: DRIVERS };
  const claim = await store.claim({ callId, ...worker, lines });
  invariant(claim.kind === 'claimed', `the call can be claimed, and was ${claim.kind}`);
  return { store, call: claim.call };
}

/** Rings, talks and ends a queued call, as a worker would. */
export async function driveCall(database: Database, callId: CallId, options: DriveOptions = {}): Promise<void> {
  const { store, call } = await claimCall(database, callId, options);
  const { talkMs = 61_000, recordingKey = null, settlement } = options;
  const lease = { callId, epoch: call.epoch };
  const answeredAtMs = call.startedAtMs + 2_500;
  await store.advance({ ...lease, to: 'ringing', atMs: call.startedAtMs + 500, sipCode: 180 });
  await store.advance({ ...lease, to: 'in_progress', atMs: answeredAtMs });
  const turn = {
    role: 'agent',
    text: 'Hello.',
    start_ms: 0,
    end_ms: 900,
    source: 'script',
    interrupted: false,
  } as const;
  const settled = await store.settle({
    ...lease,
    reason: 'callee_hangup',
    neverDialled: false,
    answeredAtMs,
    endedAtMs: answeredAtMs + talkMs,
    charge: chargeFor(call.rate, talkMs, call.holdMicros),
    sipCode: 200,
    answeredBy: 'human',
    transcript: [turn],
    summary: 'The callee hung up.',
    recordingKey,
    ...settlement,
  });
  invariant(settled.kind === 'settled', 'the call is settled');
}
