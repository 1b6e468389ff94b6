import type { World } from '../world/world.ts';
import type { Moment } from './moment.ts';
import { isOpen, type CallView } from './postgres-view.ts';

/** The longest that anything keeps back a due call once all is well: a hold that no call came of, and the sweep that frees it. */
const ADMITTED_WITHIN_MS = 90_000;
/** More than the first hold of any call. */
const ENOUGH_MICROS = 200;

/** Once all faults are repaired, a due call is admitted while there are slots and funds: none is forgotten until it expires. */
export class NeglectWatch {
  readonly #world: World;
  /** Since when each call could have been admitted. */
  readonly #sinceMs = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  look({ postgres: { calls, accounts, systemCapacity }, gate }: Moment): void {
    const { clock, promises } = this.#world;
    const open = calls.filter(isOpen);
    const free = accounts.filter(({ id, capacity, balance }) => {
      const own = open.filter(({ account }) => account === id);
      return own.length < capacity && balance - own.reduce((sum, { hold }) => sum + hold, 0) >= ENOUGH_MICROS;
    });
    const hasRoom = gate.current && open.length < systemCapacity;
    for (const call of calls) {
      // A campaign's calls wait for each other too: see `CampaignNeglect`.
      const isSingle = !call.schedule?.campaign;
      const couldBe = isSingle && hasRoom && isDue(call, clock.nowMs) && free.some(({ id }) => id === call.account);
      if (!couldBe) this.#sinceMs.delete(call.id);
      else if (!this.#sinceMs.has(call.id)) this.#sinceMs.set(call.id, clock.nowMs);
      const waitedMs = clock.nowMs - (this.#sinceMs.get(call.id) ?? clock.nowMs);
      if (waitedMs > ADMITTED_WITHIN_MS)
        promises.violate('a due call is admitted', `${call.id} waits for ${waitedMs} ms`);
    }
  }
}

function isDue({ status, schedule }: CallView, nowMs: number): boolean {
  return status === 'scheduled' && schedule !== null && schedule.dueMs <= nowMs && nowMs < schedule.giveUpMs;
}
