import type { Heard } from '../hearing/turn-detector.ts';

/** The callee's speech, and how much of it falls into the agent's. Call `follow` once a frame. */
export class SpeechOver {
  #heard: Heard | undefined;
  #playing = false;
  /** Since when the agent speaks, or is given another chance to. */
  #sinceMs = 0;
  /** Of the turn that was under way then. */
  #before = { startMs: -1, speechMs: 0 };
  #lastSpeechMs: number | null = null;
  #providerHeard = false;
  #words: string | null = null;

  follow(heard: Heard, playing: boolean): void {
    this.#heard = heard;
    const turn = heard.turn ?? heard.ended;
    if (turn !== undefined) this.#lastSpeechMs = turn.endMs;
    if (playing && !this.#playing) this.reset();
    this.#playing = playing;
  }

  /** What was heard so far does not count. */
  reset(): void {
    const turn = this.#heard?.turn;
    this.#sinceMs = this.#heard?.nowMs ?? 0;
    this.#before =
      turn === undefined ? { startMs: -1, speechMs: 0 } : { startMs: turn.startMs, speechMs: turn.speechMs };
    this.#providerHeard = false;
    this.#words = null;
  }

  providerHears(): void {
    if (this.#playing) this.#providerHeard = true;
  }

  understood(text: string | null, endMs: number): void {
    // The words that the agent answers come late too: they ended before it spoke.
    if (this.#playing && text !== null && endMs > this.#sinceMs) this.#words = text;
  }

  get providerHeard(): boolean {
    return this.#providerHeard;
  }

  get wordsOver(): string | null {
    return this.#words;
  }

  /** End of the callee's last speech; null before any. */
  get lastSpeechMs(): number | null {
    return this.#lastSpeechMs;
  }

  get calleeSilentMs(): number {
    return (this.#heard?.nowMs ?? 0) - (this.#lastSpeechMs ?? Number.NEGATIVE_INFINITY);
  }

  get speechOverMs(): number {
    const turn = this.#heard?.turn;
    if (turn === undefined || !this.#playing) return 0;
    return turn.startMs === this.#before.startMs ? turn.speechMs - this.#before.speechMs : turn.speechMs;
  }

  /** When the callee began to speak over the agent. */
  get beganMs(): number {
    return Math.max(this.#heard?.turn?.startMs ?? 0, this.#sinceMs);
  }
}
