import type { Clock, Timer } from '@outdial/kernel';
import type { UsageEntry, UsageUnit } from '../../mind.ts';
import { BYTES_PER_MS } from '../../sound/ulaw.ts';

/** How often the time is reported, so that a call's hold follows its cost. */
const REPORT_MS = 5_000;

/** What a provider bills that counts the time of a connection, and the items of text that are added to it. */
export class BilledTime {
  readonly #clock: Clock;
  readonly #report: (unit: UsageUnit, quantity: number) => void;
  #sinceMs: number | null = null;
  #soundMs = 0;
  #timer: Timer | null = null;

  constructor(clock: Clock, owner: Pick<UsageEntry, 'provider' | 'model'>, emit: (entry: UsageEntry) => void) {
    this.#clock = clock;
    this.#report = (unit, quantity) => emit({ component: 'realtime', ...owner, unit, quantity });
  }

  /** A connection of sound is open: all of its time counts. */
  start(): void {
    this.#sinceMs = this.#clock.monotonicMs();
    this.#timer = this.#clock.after(REPORT_MS, () => {
      this.stop();
      this.start();
    });
  }

  /** µ-law of a connection of text, where nothing but this counts. */
  sounded(bytes: number): void {
    this.#soundMs += bytes / BYTES_PER_MS;
  }

  /** An item that we add. The result of a tool is free. */
  added({ type }: Readonly<Record<string, unknown>>): void {
    if (type !== 'function_call_output') this.#report('request', 1);
  }

  /** Reports what is left. */
  stop(): void {
    this.#timer?.cancel();
    const sinceMs = this.#sinceMs ?? this.#clock.monotonicMs();
    const billedMs = Math.round(this.#clock.monotonicMs() - sinceMs + this.#soundMs);
    this.#sinceMs = null;
    this.#soundMs = 0;
    if (billedMs > 0) this.#report('second', billedMs / 1_000);
  }
}
