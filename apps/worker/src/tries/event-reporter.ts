import type { TryEvent, TryId } from '@outdial/contracts';
import type { Clock, Timer } from '@outdial/kernel';
import type { TryChannel } from '@outdial/queue';

/** Texts that come within this time go to Redis together. */
const GATHER_MS = 40;

/** Reports what happens in a try, in order. What Redis does not take is lost: the money is in Postgres. */
export class EventReporter {
  readonly #options: { readonly channel: TryChannel; readonly tryId: TryId; readonly clock: Clock };
  #gathered: TryEvent[] = [];
  #timer: Timer | null = null;
  #sent: Promise<void> = Promise.resolve();

  constructor(options: { readonly channel: TryChannel; readonly tryId: TryId; readonly clock: Clock }) {
    this.#options = options;
  }

  report(event: TryEvent): void {
    this.#gathered.push(event);
    this.#timer ??= this.#options.clock.after(GATHER_MS, () => this.#send());
  }

  /** Everything so far is sent, or lost. */
  async flush(): Promise<void> {
    this.#timer?.cancel();
    this.#send();
    await this.#sent;
  }

  #send(): void {
    this.#timer = null;
    const events = this.#gathered;
    this.#gathered = [];
    const { channel, tryId } = this.#options;
    const texts = joined(events).map((event) => JSON.stringify(event));
    this.#sent = this.#sent.then(() => channel.report(tryId, texts)).catch(() => undefined);
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
