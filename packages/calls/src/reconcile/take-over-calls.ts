import type { CallId } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import { LEASE_TIMES, type LeaseTimes } from '../lease.ts';
import { settleCall } from '../settle/settle-call.ts';
import { orphanSettlement } from '../settle/settlement.ts';
import type { Carrier } from '../ports/carrier.ts';
import type { DriveStore, OrphanedCall } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import type { Observer } from '../ports/observer.ts';
import type { RecordingStore } from '../ports/recording-store.ts';
import { legGoneByMs, type LegOfOrphan } from './leg-bounds.ts';

export interface TakeOverDeps {
  readonly store: Pick<DriveStore, 'takeOver' | 'settle'>;
  readonly gate: Pick<Gate, 'release'>;
  readonly carrier: Pick<Carrier, 'name' | 'endOrphan'>;
  readonly recordings: Pick<RecordingStore, 'keyOf' | 'repair'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly workerId: string;
  readonly observer?: Observer;
  /** `LEASE_TIMES` unless given. */
  readonly leaseTimes?: LeaseTimes;
}

/**
 * Ends calls whose worker is gone: takes them over, ends their legs, settles the known facts, `worker_lost`. A call whose
 * leg may still be up stays open; its new lease expires and it is tried again.
 * @returns how many were taken over.
 */
export async function takeOverCalls(
  deps: TakeOverDeps,
  which: { readonly limit: number; readonly callId?: CallId },
): Promise<number> {
  const { leaseMs } = deps.leaseTimes ?? LEASE_TIMES;
  const orphans = await deps.store.takeOver({ workerId: deps.workerId, leaseMs, ...which });
  deps.observer?.found('orphaned_call', orphans.length);
  await Promise.all(orphans.map((orphan) => endOrphan(deps, orphan)));
  return orphans.length;
}

async function endOrphan(deps: TakeOverDeps, orphan: OrphanedCall): Promise<void> {
  const { id: callId, accountId, requestId } = orphan;
  const logger = deps.logger.child({ callId, accountId, requestId });
  logger.warn({ event: 'call.taken_over' }, 'call taken over');
  if (!(await areLegsGone(deps, orphan, logger))) {
    logger.warn({ event: 'call.take_over_delayed' }, 'the leg may still be up: the call is tried again');
    return;
  }
  // The next take-over tries again: no need to wait here for a store that is away.
  await settleCall(
    deps,
    orphanSettlement(orphan, await repairRecording(deps, orphan, logger)),
    logger,
    AbortSignal.abort(),
  );
}

/** Its second legs too: as long as one may be up, the call is not over. */
async function areLegsGone(deps: TakeOverDeps, orphan: OrphanedCall, logger: Logger): Promise<boolean> {
  const { takenOverAtMs, leaseRenewedAtMs } = orphan;
  const second = orphan.legs.filter(({ endedAtMs }) => endedAtMs === null);
  const legs = [orphan, ...second.map((leg) => ({ ...leg, takenOverAtMs, leaseRenewedAtMs }))];
  const gone = await Promise.all(legs.map((leg) => isLegGone(deps, leg, logger)));
  return !gone.includes(false);
}

async function isLegGone(
  { carrier, leaseTimes = LEASE_TIMES }: TakeOverDeps,
  orphan: LegOfOrphan & Pick<OrphanedCall, 'carrier' | 'takenOverAtMs'>,
  logger: Logger,
): Promise<boolean> {
  if (orphan.dialog !== null && carrier.name === orphan.carrier) {
    try {
      if ((await carrier.endOrphan(orphan.dialog)) === 'gone') return true;
    } catch (error) {
      logger.warn({ event: 'call.orphan_end_failed', err: error }, 'the orphaned leg could not be ended');
    }
  }
  return orphan.takenOverAtMs >= legGoneByMs(orphan, leaseTimes.leaseMs);
}

/** Repairs the recording of a crashed worker. Null if nothing playable is there. */
async function repairRecording(deps: TakeOverDeps, orphan: OrphanedCall, logger: Logger): Promise<string | null> {
  if (orphan.answeredAtMs === null) return null;
  const key = deps.recordings.keyOf(orphan.id);
  try {
    return (await deps.recordings.repair(key)) ? key : null;
  } catch (error) {
    logger.warn({ event: 'recording.repair_failed', err: error }, 'the recording could not be repaired');
    return null;
  }
}
