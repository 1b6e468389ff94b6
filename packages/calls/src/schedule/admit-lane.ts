import type { CampaignId } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { AdmissionObserver } from '../ports/observer.ts';
import type { ScheduleStore, TakenCall, Turn } from '../ports/schedule-store.ts';
import { createAdmitCall, type AdmitCallDeps, type AdmitCallOutcome, type MayHold } from './admit-call.ts';
import { isObstacle, METRIC_OF, waitOf, type Obstacle } from './obstacles.ts';
import type { ShortAccounts } from './short-accounts.ts';

export interface AdmitLaneDeps extends Omit<AdmitCallDeps, 'store'> {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: AdmitCallDeps['store'] & Pick<ScheduleStore, 'takeDue' | 'putBack'>;
  readonly observer: AdmissionObserver;
}

/** The gate's first refusal comes early: few reservations are made in vain, and a free gate is filled quickly. */
const WAVES = [4, 16, 64] as const;
const LARGEST_WAVE = 64;

/** What a lane may admit in a turn. */
export interface LaneShare {
  /** Null: single calls. */
  readonly campaignId: CampaignId | null;
  readonly limit: number;
  readonly mayHold?: MayHold;
}

/** Until when a wave may begin, by the monotonic clock. */
export interface Run {
  readonly untilMs: number;
  readonly stopping: AbortSignal;
}

export interface LaneOutcome {
  readonly obstacle: Obstacle | null;
  /** Nothing that it took was left untried. */
  readonly isWhole: boolean;
  readonly isPostponed: boolean;
  /** What calling policies make all wait for that it tried, or the last of them; null: one was admitted, or none waits. */
  readonly waitsFor: 'window' | 'cap' | null;
}

interface Attempt {
  readonly call: TakenCall;
  readonly outcome: AdmitCallOutcome;
}

/** Takes calls of a lane and admits them. Puts back those that an obstacle keeps. */
export function createAdmitLane(deps: AdmitLaneDeps, shortAccounts: ShortAccounts) {
  const admitCall = createAdmitCall(deps);
  const { clock, logger, store, observer } = deps;

  function note({ call, outcome }: Attempt, isSingle: boolean): void {
    observer.admission(METRIC_OF[outcome.kind]);
    if (outcome.kind === 'refused') observer.ended(outcome.reason, 1);
    const { callId, accountId, requestId } = call;
    if (outcome.kind === 'admitted') {
      const { lateMs } = outcome;
      // What a campaign has in stock is due at once, and waits for its part of the slots.
      if (isSingle && lateMs !== null && !shortAccounts.heldUp(accountId, lateMs)) observer.late(lateMs);
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

  async function admitWave(
    wave: readonly TakenCall[],
    { campaignId, mayHold }: LaneShare,
  ): Promise<readonly Attempt[]> {
    const terms = { isOfCampaign: campaignId !== null, ...(mayHold && { mayHold }) };
    const attempts = await Promise.all(wave.map(async (call) => ({ call, outcome: await admitCall(call, terms) })));
    for (const attempt of attempts) note(attempt, campaignId === null);
    return attempts;
  }

  /** In waves, up to the first obstacle. `untried`: nothing was done about them. */
  async function admitAll(calls: readonly TakenCall[], share: LaneShare, { untilMs, stopping }: Run) {
    const attempts: Attempt[] = [];
    for (let wave = 0; attempts.length < calls.length; wave += 1) {
      if (stopping.aborted || clock.monotonicMs() > untilMs) break;
      const size = WAVES[wave] ?? LARGEST_WAVE;
      attempts.push(...(await admitWave(calls.slice(attempts.length, attempts.length + size), share)));
      if (attempts.some(({ outcome }) => isObstacle(outcome))) break;
    }
    return { attempts, untried: calls.slice(attempts.length) };
  }

  return async function admitLane(turn: Turn, share: LaneShare, run: Run): Promise<LaneOutcome> {
    const { accountId, epoch } = turn;
    const { campaignId, limit } = share;
    const calls =
      limit === 0 ? [] : await store.takeDue({ accountId, epoch, limit, ...(campaignId !== null && { campaignId }) });
    const { attempts, untried } = await admitAll(calls, share, run);
    const obstacles = attempts.map(({ outcome }) => outcome).filter(isObstacle);
    const first = obstacles[0] ?? null;
    if (first && first.kind !== 'unavailable') shortAccounts.note(accountId);
    if (first?.kind === 'unavailable')
      logger.warn({ event: 'admission.interrupted', err: first.cause, accountId }, 'scheduled calls are not admitted');
    await Promise.all(
      ([null, 'capacity', 'funds'] as const).map(async (waitingFor) => {
        const waits = (outcome: AdmitCallOutcome | null) => waitOf(outcome) === waitingFor;
        const back = [
          ...attempts.filter(({ outcome }) => isObstacle(outcome) && waits(outcome)).map(({ call }) => call),
          ...(waits(first) ? untried : []),
        ];
        const given = back.map(({ callId, admitToken }) => ({ callId, admitToken }));
        if (given.length > 0) await store.putBack({ calls: given, waitingFor });
      }),
    );
    const waits = attempts.flatMap(({ outcome }) => (outcome.kind === 'postponed' ? [outcome.waitingFor] : []));
    const hasAdmitted = attempts.some(({ outcome }) => outcome.kind === 'admitted');
    const waitsFor = hasAdmitted ? null : (waits.at(-1) ?? null);
    return { obstacle: first, isWhole: untried.length === 0, isPostponed: waits.length > 0, waitsFor };
  };
}
