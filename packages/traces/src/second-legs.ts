import type { TransferStore } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { OpenCalls } from './open-calls.ts';
import { MOST_TRACED, RecentMap } from './recent-map.ts';

/** Whose the second legs of sampled calls are. A carrier knows a leg by its own id. */
export class SecondLegs {
  readonly #calls: OpenCalls;
  readonly #owners = new RecentMap<string, CallId>(MOST_TRACED);

  constructor(calls: OpenCalls) {
    this.#calls = calls;
  }

  callOf(legId: string): CallId | undefined {
    return this.#owners.get(legId);
  }

  store(store: TransferStore): TransferStore {
    return {
      ...store,
      beginLeg: (input) => {
        if (this.#calls.get(input.callId)) this.#owners.set(input.leg.legId, input.callId);
        return store.beginLeg(input);
      },
    };
  }
}
