import type { Mind, MindEvent } from '../src/mind.ts';
import { silence, ulawOf } from './provider.ts';

export type EventOf<Kind extends MindEvent['kind']> = Extract<MindEvent, { kind: Kind }>;

/** A mind, and everything that it emitted. */
export class Recording {
  readonly mind: Mind;
  readonly events: MindEvent[] = [];
  readonly #waiters = new Set<() => void>();
  /** The ear of the call reports what it hears, as it does in the media thread. */
  ear = false;
  #earHasTurn = false;
  #heardMs = 0;

  constructor(open: (listener: (event: MindEvent) => void) => Mind) {
    this.mind = open((event) => {
      this.events.push(event);
      for (const waiter of this.#waiters) waiter();
    });
  }

  of<Kind extends MindEvent['kind']>(kind: Kind): readonly EventOf<Kind>[] {
    return this.events.filter((event): event is EventOf<Kind> => event.kind === kind);
  }

  /** Waits for the n-th event of a kind, and returns it. */
  async next<Kind extends MindEvent['kind']>(kind: Kind, count = 1): Promise<EventOf<Kind>> {
    for (;;) {
      const event = this.of(kind)[count - 1];
      if (event !== undefined) return event;
      const failed = this.of('failed')[0];
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

  /** The callee says a sentence, and is silent for long enough to end the turn. */
  hear(text: string, fromMs = this.#heardMs): void {
    this.#pass(fromMs, ulawOf(text), silence(300));
  }

  /** The callee says a sentence, and nothing is heard after it. */
  hearOnly(text: string): void {
    this.#pass(this.#heardMs, ulawOf(text), silence(0));
  }

  hearSilence(ms: number): void {
    this.#pass(this.#heardMs, silence(0), silence(ms));
  }

  /** What the mind has said of an item so far. */
  words(item: string): string {
    return this.of('words')
      .filter((event) => event.item === item)
      .map(({ text }) => text)
      .join('');
  }

  sound(item: string): Buffer {
    return Buffer.concat(
      this.of('sound')
        .filter((event) => event.item === item)
        .map(({ ulaw }) => ulaw),
    );
  }

  #pass(fromMs: number, speech: Uint8Array, after: Uint8Array): void {
    const sound = Buffer.concat([speech, after]);
    const speechEndMs = fromMs + speech.length / 8;
    for (let at = 0; at < sound.length; at += 320) {
      this.mind.hear(sound.subarray(at, at + 320), fromMs + at / 8);
      this.#heardMs = fromMs + Math.min(sound.length, at + 320) / 8;
      if (this.ear && speech.length > 0) this.#report(fromMs, speechEndMs);
    }
  }

  /** The ear is sure of speech after 60 ms, and of a pause after 200 ms. */
  #report(startMs: number, endMs: number): void {
    const crossed = (ms: number) => this.#heardMs >= ms && this.#heardMs < ms + 40;
    if (crossed(startMs + 60)) {
      if (this.#earHasTurn) this.mind.calleeSpeech?.({ kind: 'ended', atMs: startMs });
      this.mind.calleeSpeech?.({ kind: 'began', atMs: startMs });
      this.#earHasTurn = true;
    }
    if (crossed(endMs + 200)) this.mind.calleeSpeech?.({ kind: 'paused', atMs: endMs });
  }
}
