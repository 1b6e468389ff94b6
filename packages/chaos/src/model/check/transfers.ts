import type { World } from '../world/world.ts';
import type { CallView, LegView, PostgresView } from './postgres-view.ts';

/** The prices of the fixtures, in micros and seconds, by hand. */
const FIRST = { fee: 5 } as const;
const SECOND = { fee: 7, perSecond: 2, increment: 5 } as const;

/** Both legs of a call are charged once: each by its own rate, within its own hold. */
export class TransferCheck {
  readonly #world: Pick<World, 'profile' | 'promises' | 'network'>;

  constructor(world: Pick<World, 'profile' | 'promises' | 'network'>) {
    this.#world = world;
  }

  look({ calls, legs }: PostgresView): void {
    if (legs.length === 0) return;
    for (const leg of legs) this.#leg(leg);
    for (const call of calls) {
      const own = legs.filter((leg) => leg.call === call.id);
      if (own.length > 0) this.#call(call, own);
    }
  }

  #leg(leg: LegView): void {
    const { id, answeredMs, endedMs, isSettled, cost, hold } = leg;
    const talkMs = answeredMs === null ? null : (endedMs ?? answeredMs) - answeredMs;
    const due = isSettled && talkMs !== null ? Math.min(hold, priceOf(talkMs)) : 0;
    if (cost !== due)
      this.#world.promises.violate('a second leg costs its own rate', `${id}: ${cost} instead of ${due}`);
  }

  #call(call: CallView, legs: readonly LegView[]): void {
    const { promises, profile, network } = this.#world;
    const up = legs.filter(({ id }) => network.isUp(id));
    if (up.length > 1) promises.violate('one second leg at a time', call.id);
    if (call.status !== 'ended') return;
    if (legs.some(({ isSettled }) => !isSettled)) promises.violate('a call settles its second legs', call.id);
    if (profile.hasModels) return;
    const legHold = legs.reduce((sum, { hold }) => sum + hold, 0);
    const talk = call.billableSeconds === 0 ? 0 : FIRST.fee + call.billableSeconds;
    const first = call.cost - legs.reduce((sum, { cost }) => sum + cost, 0);
    // The hold of the first leg is at least that: of some legs, it was free before the end.
    if (first > talk || first < Math.min(talk, call.hold - legHold))
      promises.violate('a call is charged for both legs', `${call.id}: ${call.cost}, of which ${first} for ${talk}`);
  }
}

function priceOf(talkMs: number): number {
  const seconds = Math.max(1, Math.ceil(talkMs / 1_000));
  return SECOND.fee + SECOND.perSecond * SECOND.increment * Math.ceil(seconds / SECOND.increment);
}
