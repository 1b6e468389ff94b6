import type { TextMind, TextMindEvent } from '../src/text/text-mind.ts';

type EventOf<Kind extends TextMindEvent['kind']> = Extract<TextMindEvent, { readonly kind: Kind }>;

/** A mind that answers in text, and everything that it emitted. */
export class TextRecording {
  readonly mind: TextMind;
  readonly events: TextMindEvent[] = [];
  readonly #waiters = new Set<() => void>();

  constructor(open: (listener: (event: TextMindEvent) => void) => TextMind) {
    this.mind = open((event) => {
      this.events.push(event);
      for (const waiter of this.#waiters) waiter();
    });
  }

  of<Kind extends TextMindEvent['kind']>(kind: Kind): readonly EventOf<Kind>[] {
    return this.events.filter((event): event is EventOf<Kind> => event.kind === kind);
  }

  /** Waits for the n-th event of a kind, and returns it. */
  async next<Kind extends TextMindEvent['kind']>(kind: Kind, count = 1): Promise<EventOf<Kind>> {
    for (;;) {
      const event = this.of(kind)[count - 1];
      if (event !== undefined) return event;
      const [failed] = this.of('failed');
      if (failed !== undefined) throw new Error(`the mind failed: ${failed.failure.message}`);
      await new Promise<void>((resolve) => {
        const waiter = () => {
          this.#waiters.delete(waiter);
          resolve();
        };
        this.#waiters.add(waiter);
      });
    }
  }

  /** The words of each answer so far, in order. */
  answers(): readonly string[] {
    const texts = new Map<string, string>();
    for (const { item, text } of this.of('words')) texts.set(item, (texts.get(item) ?? '') + text);
    return [...texts.values()];
  }

  /** The sum of what was reported as used. */
  used(): number {
    return this.of('usage')
      .flatMap(({ entries }) => entries)
      .reduce((sum, { quantity }) => sum + quantity, 0);
  }
}
