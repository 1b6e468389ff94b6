import type { World } from '../world/world.ts';
import type { Moment } from './moment.ts';
import { contactsLeft, inUse, mayDial, type CampaignView } from './campaign-view.ts';
import { isOpen, type CallView } from './postgres-view.ts';

/** The longest that anything keeps back a due call once all is well: a hold that no call came of, and the sweep that frees it. */
const ADMITTED_WITHIN_MS = 90_000;
/** More than the first hold of any call. */
const ENOUGH_MICROS = 200;

/** Once all faults are repaired, a due call is admitted while there are slots and funds: none is forgotten until it expires. */
export class NeglectWatch {
  readonly #world: World;
  /** Since when each call could have been admitted, and one of each campaign. */
  readonly #sinceMs = new Map<string, number>();
  /** Of each campaign, how many calls were admitted. */
  readonly #admitted = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  look({ postgres: { calls, accounts, systemCapacity }, gate }: Moment): void {
    const { clock, campaigns } = this.#world;
    const open = calls.filter(isOpen);
    const free = accounts.filter(({ id, capacity, balance }) => {
      const own = open.filter(({ account }) => account === id);
      return own.length < capacity && balance - own.reduce((sum, { hold }) => sum + hold, 0) >= ENOUGH_MICROS;
    });
    const hasRoom = gate.current && open.length < systemCapacity;
    for (const call of calls) {
      // A campaign's calls wait for each other too.
      const isSingle = !call.schedule?.campaign;
      const couldBe = isSingle && hasRoom && isDue(call, clock.nowMs) && free.some(({ id }) => id === call.account);
      this.#neglected(call.id, couldBe, 'a due call is admitted');
    }
    for (const campaign of campaigns.views) {
      const { id, account } = campaign;
      const admitted = campaign.calls.filter(({ reservation }) => reservation !== null).length;
      const hasAdmitted = admitted > (this.#admitted.get(id) ?? 0);
      this.#admitted.set(id, admitted);
      const couldCall = hasRoom && !hasAdmitted && free.some((one) => one.id === account) && this.#couldCall(campaign);
      this.#neglected(id, couldCall, 'a campaign with room calls');
    }
  }

  #couldCall(campaign: CampaignView): boolean {
    const { clock, campaigns } = this.#world;
    const { nowMs } = clock;
    const { account, budget, calls, maxConcurrent, slots } = campaign;
    const hasWork = contactsLeft(campaign).length > 0 || calls.some((call) => call.isWaiting && call.dueMs <= nowMs);
    const used = campaigns.views
      .filter((one) => one.account === account)
      .reduce((sum, one) => sum + inUse(one, nowMs), 0);
    const spent = calls.reduce((sum, { hold, cost, status }) => sum + (status === 'ended' ? cost : hold), 0);
    return (
      hasWork &&
      mayDial(campaign, nowMs) &&
      used < slots &&
      inUse(campaign, nowMs) < (maxConcurrent ?? Infinity) &&
      (budget === null || budget - spent >= ENOUGH_MICROS)
    );
  }

  #neglected(id: string, couldBe: boolean, promise: string): void {
    const { clock, promises } = this.#world;
    if (!couldBe) this.#sinceMs.delete(id);
    else if (!this.#sinceMs.has(id)) this.#sinceMs.set(id, clock.nowMs);
    const waitedMs = clock.nowMs - (this.#sinceMs.get(id) ?? clock.nowMs);
    if (waitedMs > ADMITTED_WITHIN_MS) promises.violate(promise, `${id} waits for ${waitedMs} ms`);
  }
}

function isDue({ status, schedule }: CallView, nowMs: number): boolean {
  return status === 'scheduled' && schedule !== null && schedule.dueMs <= nowMs && nowMs < schedule.giveUpMs;
}
