import type { Asked, CalleeSpeech, Mind } from '../mind.ts';

/**
 * A mind whose provider bills by time: it is opened with the callee's first sound, which comes with the answer. What was
 * asked of it while the telephone rang is asked then.
 */
export class OnceHeardMind implements Mind {
  readonly #open: () => Mind;
  #asked: ((mind: Mind) => void)[] = [];
  #mind: Mind | null = null;
  #closed = false;

  constructor(open: () => Mind) {
    this.#open = open;
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#closed) return;
    if (this.#mind !== null) return this.#mind.hear(ulaw, fromMs);
    const mind = this.#open();
    this.#mind = mind;
    for (const ask of this.#asked.splice(0)) ask(mind);
    mind.hear(ulaw, fromMs);
  }

  calleeSpeech(speech: CalleeSpeech): void {
    this.#mind?.calleeSpeech?.(speech);
  }

  openGate(): void {
    this.#ask((mind) => mind.openGate());
  }

  say(text: string, how?: Asked): void {
    this.#ask((mind) => mind.say(text, how));
  }

  respond(hint?: string, how?: Asked): void {
    this.#ask((mind) => mind.respond(hint, how));
  }

  instruct(text: string): void {
    this.#ask((mind) => mind.instruct(text));
  }

  cut(input: Parameters<Mind['cut']>[0]): void {
    this.#ask((mind) => mind.cut(input));
  }

  pressed(digits: string): void {
    this.#ask((mind) => mind.pressed(digits));
  }

  toolResult(input: Parameters<Mind['toolResult']>[0]): void {
    this.#ask((mind) => mind.toolResult(input));
  }

  callOver(): Promise<void> {
    return this.#mind?.callOver() ?? Promise.resolve();
  }

  close(): void {
    this.#closed = true;
    this.#mind?.close();
  }

  #ask(ask: (mind: Mind) => void): void {
    if (this.#mind !== null) ask(this.#mind);
    else if (!this.#closed) this.#asked.push(ask);
  }
}
