import type { Clock } from '@outdial/kernel';
import type { UsageEntry, UsageUnit } from '../../mind.ts';
import type { OpenAiLiveSettings } from './settings.ts';
import type { DelegatedUsage } from './wire.ts';

const PROVIDER = 'openai_live';

/** What a session is billed for: its time, of which the provider reports the sum, and the tokens of delegated work. */
export class LiveBill {
  readonly #clock: Clock;
  readonly #settings: OpenAiLiveSettings;
  #reportedSeconds = 0;
  /** Null: no time is running. */
  #sinceMs: number | null = null;

  constructor(clock: Clock, settings: OpenAiLiveSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  started(): void {
    this.#sinceMs = this.#clock.monotonicMs();
  }

  /** The provider reports a sum of the session. */
  reported(seconds: number): readonly UsageEntry[] {
    if (this.#sinceMs !== null) this.#sinceMs = this.#clock.monotonicMs();
    const more = seconds - this.#reportedSeconds;
    if (more <= 0) return [];
    this.#reportedSeconds = seconds;
    return [this.#seconds(more)];
  }

  /** The session ended as it should: nothing is left. */
  closed(): void {
    this.#sinceMs = null;
  }

  /** The connection is gone: the time since the last report is ours to count. */
  rest(): readonly UsageEntry[] {
    if (this.#sinceMs === null) return [];
    const seconds = Math.round(this.#clock.monotonicMs() - this.#sinceMs) / 1_000;
    this.#sinceMs = null;
    return seconds > 0 ? [{ ...this.#seconds(seconds), estimated: true }] : [];
  }

  delegated(usage: DelegatedUsage): readonly UsageEntry[] {
    const cached = Math.min(usage.input_tokens_details?.cached_tokens ?? 0, usage.input_tokens);
    const quantities: readonly (readonly [UsageUnit, number])[] = [
      ['input_text_token', usage.input_tokens - cached],
      ['cached_input_text_token', cached],
      ['output_text_token', usage.output_tokens],
    ];
    const { model } = this.#settings.delegation;
    return quantities
      .filter(([, quantity]) => quantity > 0)
      .map(([unit, quantity]) => ({ component: 'llm', provider: PROVIDER, model, unit, quantity }));
  }

  #seconds(quantity: number): UsageEntry {
    return { component: 'realtime', provider: PROVIDER, model: this.#settings.model, unit: 'second', quantity };
  }
}
