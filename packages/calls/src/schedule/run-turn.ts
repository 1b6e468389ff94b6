import type { Clock, Logger } from '@outdial/kernel';
import type { Admission, AdmissionObserver } from '../ports/observer.ts';
import type { ScheduleStore, TakenCall, Turn } from '../ports/schedule-store.ts';
import type { TrunkAvailability } from '../ports/trunks.ts';
import { waitForTrunk } from '../trunks/trunk-wait.ts';
import { createAdmitCall, type AdmitCallDeps, type AdmitCallOutcome } from './admit-call.ts';
import { shareOut } from './share-out.ts';
import { createShortAccounts } from './short-accounts.ts';

export interface RunTurnDeps extends Omit<AdmitCallDeps, 'store'> {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: AdmitCallDeps['store'] & Pick<ScheduleStore, 'takeDue' | 'putBack' | 'endTurn'>;
  readonly observer: AdmissionObserver;
  /** As for requests. Without this reader every call is admitted. */
  readonly readTrunkAvailability?: () => Promise<TrunkAvailability | null>;
}

/** The gate's first refusal comes early: few reservations are made in vain, and a free gate is filled quickly. */
const WAVES = [4, 16, 64] as const;
const LARGEST_WAVE = 64;

/** No wave begins later: its calls could not be admitted before the turn is over. */
const WAVES_BEGIN_WITHIN_MS = 4_000;

/** When to look again for a slot, for funds, for a store, and for a trunk. */
const LOOK_AGAIN_MS = { capacity: 500, funds: 30_000, unavailable: 500, trunks: 1_000 } as const;

/** What ends a turn before its calls are admitted. */
type Obstacle = Extract<AdmitCallOutcome, { readonly kind: keyof typeof LOOK_AGAIN_MS }>;

/** What a turn has done with its calls. */
interface Share {
  /** For how long looking again is of no use. */
  readonly notBeforeMs: number;
  readonly leavesMore: boolean;
}

interface Attempt {
  readonly call: TakenCall;
  readonly outcome: AdmitCallOutcome;
}

/** Runs one turn: takes calls, admits them, puts back the others, and says when the account is due again. */
export function createRunTurn(deps: RunTurnDeps) {
  const admitCall = createAdmitCall(deps);
  const { clock, logger, store, observer } = deps;
  const shortAccounts = createShortAccounts(clock);

  async function isWaitingPointless(queueTtlSeconds: number): Promise<boolean> {
    // Unread, it keeps no call back: an admitted call waits in the queue.
    const availability = (await deps.readTrunkAvailability?.().catch(() => null)) ?? null;
    return waitForTrunk(availability, queueTtlSeconds).kind === 'pointless';
  }

  function note({ call, outcome }: Attempt): void {
    observer.admission(METRIC_OF[outcome.kind]);
    if (outcome.kind === 'refused') observer.ended(outcome.reason, 1);
    const { callId, accountId, requestId } = call;
    if (outcome.kind === 'admitted') {
      const { lateMs } = outcome;
      if (lateMs !== null && !shortAccounts.heldUp(accountId, lateMs)) observer.late(lateMs);
      logger.info({ event: 'call.admitted', callId, accountId, requestId, lateMs }, 'scheduled call admitted');
    }
    if (outcome.kind === 'held')
      logger.warn(
        { event: 'call.admission_delayed', callId, accountId, requestId },
        'the gate still has an earlier reservation of a scheduled call',
      );
    if (outcome.kind === 'left')
      logger.error(
        { event: 'call.not_admitted', err: outcome.cause, callId, accountId, requestId },
        'a scheduled call was not admitted and is tried again',
      );
  }

  async function admitWave(wave: readonly TakenCall[]): Promise<readonly Attempt[]> {
    const attempts = await Promise.all(wave.map(async (call) => ({ call, outcome: await admitCall(call) })));
    for (const attempt of attempts) note(attempt);
    return attempts;
  }

  /** In waves, up to the first obstacle. `untried`: nothing was done about them. */
  async function admitAll(calls: readonly TakenCall[], untilMs: number, stopping: AbortSignal) {
    const attempts: Attempt[] = [];
    for (let wave = 0; attempts.length < calls.length; wave += 1) {
      if (stopping.aborted || clock.monotonicMs() > untilMs) break;
      const size = WAVES[wave] ?? LARGEST_WAVE;
      attempts.push(...(await admitWave(calls.slice(attempts.length, attempts.length + size))));
      if (attempts.some(({ outcome }) => isObstacle(outcome))) break;
    }
    return { attempts, untried: calls.slice(attempts.length) };
  }

  async function admitShare(turn: Turn, startedMs: number, stopping: AbortSignal): Promise<Share> {
    const { accountId, epoch } = turn;
    const share = shareOut(turn);
    if (share === 0) return { notBeforeMs: 0, leavesMore: false };
    if (turn.dueCalls > turn.freeSlots) shortAccounts.note(accountId);
    if (await isWaitingPointless(turn.queueTtlSeconds)) {
      shortAccounts.note(accountId);
      return { notBeforeMs: LOOK_AGAIN_MS.trunks, leavesMore: false };
    }
    const calls = await store.takeDue({ accountId, epoch, limit: share });
    const { attempts, untried } = await admitAll(calls, startedMs + WAVES_BEGIN_WITHIN_MS, stopping);
    const obstacles = attempts.map(({ outcome }) => outcome).filter(isObstacle);
    const [first] = obstacles;
    if (first && first.kind !== 'unavailable') shortAccounts.note(accountId);
    if (first?.kind === 'unavailable')
      logger.warn({ event: 'admission.interrupted', err: first.cause, accountId }, 'scheduled calls are not admitted');
    await Promise.all(
      ([null, 'capacity', 'funds'] as const).map(async (waitingFor) => {
        const waits = (outcome: AdmitCallOutcome | undefined) => waitOf(outcome) === waitingFor;
        const back = [
          ...attempts.filter(({ outcome }) => isObstacle(outcome) && waits(outcome)).map(({ call }) => call),
          ...(waits(first) ? untried : []),
        ];
        const given = back.map(({ callId, admitToken }) => ({ callId, admitToken }));
        if (given.length > 0) await store.putBack({ calls: given, waitingFor });
      }),
    );
    if (first) return { notBeforeMs: LOOK_AGAIN_MS[first.kind], leavesMore: false };
    // A postponed call leaves its slot to the next.
    const isPostponed = attempts.some(({ outcome }) => outcome.kind === 'postponed');
    const leavesMore =
      untried.length === 0 && share < (isPostponed ? turn.dueCalls : Math.min(turn.dueCalls, turn.freeSlots));
    return { notBeforeMs: 0, leavesMore };
  }

  /**
   * @param startedMs by the monotonic clock, not after the turn began
   * @returns whether it left due calls for which there are slots: the next turn need not wait
   */
  return async function runTurn(turn: Turn, startedMs: number, stopping: AbortSignal): Promise<boolean> {
    const { accountId, epoch } = turn;
    const { notBeforeMs, leavesMore } = await admitShare(turn, startedMs, stopping);
    await store.endTurn({ accountId, epoch, notBeforeMs });
    return leavesMore;
  };
}

function isObstacle(outcome: AdmitCallOutcome): outcome is Obstacle {
  return outcome.kind in LOOK_AGAIN_MS;
}

/** What a call waits for after an obstacle; null: nothing that its account could change. */
function waitOf(outcome: AdmitCallOutcome | undefined): 'capacity' | 'funds' | null {
  return outcome?.kind === 'capacity' || outcome?.kind === 'funds' ? outcome.kind : null;
}

const METRIC_OF: Readonly<Record<AdmitCallOutcome['kind'], Admission>> = {
  admitted: 'admitted',
  refused: 'refused',
  capacity: 'capacity',
  funds: 'funds',
  postponed: 'postponed',
  gone: 'gone',
  held: 'unavailable',
  left: 'unavailable',
  unavailable: 'unavailable',
};
