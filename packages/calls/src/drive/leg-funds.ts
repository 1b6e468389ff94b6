import type { Micros, UsageEntry } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { ClaimedCall } from '../ports/drive-store.ts';
import type { UsageReport } from '../usage-cost.ts';
import { createCreditControl, type CreditControl, type CreditControlInput } from './credit-control.ts';
import { enlargeHold, type EnlargeHoldDeps } from './enlarge-hold.ts';
import { createUsageMeter, type UsageMeter } from './usage-meter.ts';

export interface LegFundsDeps extends EnlargeHoldDeps {
  readonly clock: Clock;
}

/** What a call spends on its models, and what is held for it. */
export class LegFunds {
  readonly #deps: LegFundsDeps;
  readonly #call: ClaimedCall;
  readonly #logger: Logger;
  /** Null for a scripted call. */
  readonly #meter: UsageMeter | null;
  #credit: CreditControl | undefined;

  constructor(deps: LegFundsDeps, call: ClaimedCall, logger: Logger) {
    this.#deps = deps;
    this.#call = call;
    this.#logger = logger;
    this.#meter = call.conducted && createUsageMeter(call.conducted, deps.clock);
  }

  /** Models have used this since the last report. */
  spend(entries: readonly UsageEntry[]): void {
    this.#meter?.add(entries);
    this.#credit?.spent();
  }

  /** What models have used in all; null without any. The same object until there is more. */
  usageReport(): UsageReport | null {
    return this.#meter?.report() ?? null;
  }

  holdMicros(): Micros {
    return this.#credit?.holdMicros() ?? this.#call.holdMicros;
  }

  /** Enlarges the hold ahead of the talk, from now on. */
  answered(events: Pick<CreditControlInput, 'answeredAtMs' | 'onExhausted' | 'onFenced'>): void {
    const { rate, holdMicros, limits } = this.#call;
    const meter = this.#meter;
    this.#credit = createCreditControl({
      price: { rate, maxDurationSeconds: limits.maxDurationSeconds },
      holdMicros,
      spending: meter === null ? undefined : () => meter.spending(),
      clock: this.#deps.clock,
      logger: this.#logger,
      enlarge: (wantedMicros) => enlargeHold(this.#deps, this.#call, wantedMicros),
      ...events,
    });
  }

  stop(): void {
    this.#credit?.stop();
  }
}
