import type { TrunkEvidenceStore } from '@outdial/calls';
import type { CallId, TrunkName } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';

/** A call without a response ends after 32 s (timer B), and waits for a channel before that. */
const PROBE_MS = 45_000;

interface Probe {
  readonly trunk: TrunkName;
  readonly untilMs: number;
}

/** The calls that probe half-open trunks: one at a time for each trunk, over all workers that share a store. */
export class TrunkProbes {
  readonly #options: { readonly clock: Clock; readonly store?: TrunkEvidenceStore };
  readonly #probes = new Map<CallId, Probe>();

  constructor(options: { readonly clock: Clock; readonly store?: TrunkEvidenceStore }) {
    this.#options = options;
  }

  isFor(trunk: TrunkName, callId: CallId): boolean {
    this.#forgetOver();
    return this.#probes.get(callId)?.trunk === trunk;
  }

  /** Rejects while the store is unavailable: then it is unknown whether another worker probes the trunk. */
  async take(trunk: TrunkName, callId: CallId): Promise<boolean> {
    if (this.isFor(trunk, callId)) return true;
    const { clock, store } = this.#options;
    if ([...this.#probes.values()].some((probe) => probe.trunk === trunk)) return false;
    const untilMs = clock.monotonicMs() + PROBE_MS;
    const probe = { trunk, untilMs };
    // Set before the store is asked, because two calls of this process may ask at once.
    this.#probes.set(callId, probe);
    try {
      if (store === undefined || (await store.takeProbe({ trunk, callId, forMs: PROBE_MS }))) return true;
    } catch (error) {
      this.#probes.delete(callId);
      throw error;
    }
    this.#probes.delete(callId);
    return false;
  }

  /** The call has shown its result. */
  end(callId: CallId): void {
    // If the store cannot be reached, the probe expires.
    if (this.#probes.delete(callId)) this.#options.store?.endProbe(callId).catch(() => undefined);
  }

  #forgetOver(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const [callId, { untilMs }] of this.#probes) if (nowMs >= untilMs) this.#probes.delete(callId);
  }
}
