import type { Driver, Micros } from '@outdial/contracts';
import type {
  ClaimedCall,
  DriveStore,
  FencingToken,
  OptOut,
  OrphanedCall,
  Settlement,
} from '../../ports/drive-store.ts';
import type { GateToken } from '../../ports/gate.ts';
import type { Stage } from '../stage-for-each.ts';
import { micros } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';

/** A store with one queued call. */
export interface DriveStoreStage extends Stage {
  readonly store: DriveStore;
  readonly call: Pick<ClaimedCall, 'id' | 'accountId' | 'reservationId' | 'holdMicros'>;
  /** What the account's wallet has before the call. */
  readonly balanceMicros: Micros;
  /** The gate's token, as Postgres has it. */
  readonly token: () => Promise<GateToken>;
  /** Another generation of the gate: earlier tokens are stale from now on. */
  readonly nextGeneration: () => Promise<void>;
  /** Someone asked for the end of the call. */
  readonly requestEnd: () => Promise<void>;
  /** The call's time in the queue is over. */
  readonly expireInQueue: () => Promise<void>;
  readonly pauseDialing: () => Promise<void>;
  /** Puts the callee on the do-not-call list of the account. */
  readonly suppress: () => Promise<void>;
  /** The account saves a policy that closes the hours of the callee. */
  readonly closeHours: () => Promise<void>;
  /** The account saves a policy with a cap, which other calls to the number have reached. */
  readonly reachCap: () => Promise<void>;
  /** From now on a model conducts the call. */
  readonly conduct: (driver: Driver) => Promise<void>;
  /** The lines with which the call was claimed; null if it was not, or is scripted. */
  readonly linesOfCall: () => Promise<readonly string[] | null>;
  /** As the timeline has it. Null: none, and the callee is on no list. Throws unless both agree, once each. */
  readonly optOut: () => Promise<OptOut | null>;
}

export const LEASE_MS = 60_000;

type ClaimInput = Parameters<DriveStore['claim']>[0];

export async function claimed(
  { store, call }: DriveStoreStage,
  writeAheadDial = false,
  changes: Partial<ClaimInput> = {},
): Promise<ClaimedCall> {
  const claim = { callId: call.id, workerId: 'first', leaseMs: LEASE_MS, writeAheadDial };
  const outcome = await store.claim({ ...claim, ...changes });
  invariant(outcome.kind === 'claimed', `the call is claimed, and not ${outcome.kind}`);
  return outcome.call;
}

export const fenceOf = ({ id, epoch }: Pick<ClaimedCall, 'id' | 'epoch'>): FencingToken => ({ callId: id, epoch });

/** The first worker hands the call over, and the second takes it. */
export async function takenOver(stage: DriveStoreStage, call: ClaimedCall): Promise<OrphanedCall> {
  await stage.store.handOver(fenceOf(call));
  const [orphan] = await stage.store.takeOver({ workerId: 'second', leaseMs: LEASE_MS, limit: 1, callId: call.id });
  invariant(orphan, 'a call that was handed over is taken over');
  return orphan;
}

/** Answered after 2 s, ended after 10 s, charged 17,000 micros. */
export function settlementOf(
  { id, epoch, startedAtMs }: Pick<ClaimedCall, 'id' | 'epoch' | 'startedAtMs'>,
  changes: Partial<Settlement> = {},
): Settlement {
  return {
    callId: id,
    epoch,
    reason: 'agent_hangup',
    neverDialled: false,
    answeredAtMs: startedAtMs + 2_000,
    endedAtMs: startedAtMs + 10_000,
    charge: { billableSeconds: 60, costMicros: micros(17_000) },
    sipCode: 200,
    answeredBy: 'human',
    transcript: null,
    summary: null,
    recordingKey: null,
    ...changes,
  };
}
