import type { TryEvent, TryId } from '@outdial/contracts';
import { pause, type Clock, type Timer } from '@outdial/kernel';
import type { TryChannel } from '@outdial/queue';

/** Texts that come within this time go to Redis together. */
const GATHER_MS = 40;
/** Between two attempts, while Redis is away. */
const AGAIN_MS = 500;
/** How long the end of a try waits for Redis. */
const LAST_WAIT_MS = 5_000;
const MOST_AT_ONCE = 200;
/** What waits for Redis, in characters of JSON. More than a conversation has. */
const MOST_WAITING = 1_000_000;

export interface EventReporterOptions {
  readonly channel: Pick<TryChannel, 'report' | 'reportedAfter'>;
  readonly tryId: TryId;
  readonly clock: Clock;
}

/**
 * Reports what happens in a try, in order and once. What Redis does not take waits, up to a bound, and is sent once it is
 * back: of what exceeds the bound, and of a longer outage at the end, only the end is known, from Postgres.
 */
export class EventReporter {
  readonly #options: EventReporterOptions;
  #gathered: TryEvent[] = [];
  /** As JSON, in order. */
  readonly #waiting: string[] = [];
  /** The last text that Redis is known to have. */
  #last = '0';
  /** How many of those that wait Redis may have: its answer was lost. */
  #unsure = 0;
  #timer: Timer | null = null;
  #turn: Promise<boolean> = Promise.resolve(true);
  #closed = false;

  constructor(options: EventReporterOptions) {
    this.#options = options;
  }

  report(event: TryEvent): void {
    this.#gathered.push(event);
    this.#sendAfter(GATHER_MS);
  }

  /** Everything so far is sent, or Redis was away for too long. Nothing is sent later. */
  async flush(): Promise<void> {
    const { clock } = this.#options;
    this.#closed = true;
    this.#timer?.cancel();
    const untilMs = clock.monotonicMs() + LAST_WAIT_MS;
    while (!(await this.#send()) && clock.monotonicMs() < untilMs) await pause(clock, AGAIN_MS);
  }

  #sendAfter(delayMs: number): void {
    if (this.#closed) return;
    this.#timer ??= this.#options.clock.after(delayMs, () => {
      this.#timer = null;
      void this.#sendOrWait();
    });
  }

  async #sendOrWait(): Promise<void> {
    if (!(await this.#send())) this.#sendAfter(AGAIN_MS);
  }

  /** One after another. False: something still waits. */
  #send(): Promise<boolean> {
    this.#turn = this.#turn.then(() => this.#deliver()).catch(() => false);
    return this.#turn;
  }

  async #deliver(): Promise<boolean> {
    const { channel, tryId } = this.#options;
    this.#gather();
    if (this.#unsure > 0) {
      // All of one message arrive, or none. No other worker reports while this worker has the lease.
      const arrived = await channel.reportedAfter(tryId, this.#last);
      if (arrived.length > 0) this.#waiting.splice(0, this.#unsure);
      this.#last = arrived.at(-1)?.id ?? this.#last;
      this.#unsure = 0;
    }
    while (this.#waiting.length > 0) {
      const texts = this.#waiting.slice(0, MOST_AT_ONCE);
      this.#unsure = texts.length;
      this.#last = await channel.report(tryId, texts);
      this.#waiting.splice(0, texts.length);
      this.#unsure = 0;
    }
    return true;
  }

  #gather(): void {
    let length = this.#waiting.reduce((sum, text) => sum + text.length, 0);
    for (const text of joined(this.#gathered).map((event) => JSON.stringify(event))) {
      length += text.length;
      if (length > MOST_WAITING) break;
      this.#waiting.push(text);
    }
    this.#gathered = [];
  }
}

/** Pieces of one item become one. */
function joined(events: readonly TryEvent[]): readonly TryEvent[] {
  const all: TryEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (event.type === 'agent_text' && last?.type === 'agent_text' && last.item === event.item) {
      all[all.length - 1] = { ...last, text: last.text + event.text };
    } else all.push(event);
  }
  return all;
}
