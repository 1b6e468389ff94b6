import type { CalleeSpeech } from '../../mind.ts';

/** The model answers words of the callee within this time, if it does. */
const ANSWERED_WITHIN_MS = 2_000;

/**
 * The agent's first words answer what the callee says before the gate opens. A model that answers it too, by itself, would
 * answer twice.
 */
export class Greeting {
  #heardUntilMs = 0;
  #earSpeaks = false;
  /** When the gate opened, with the agent's first words made; null: not yet, or without them. */
  #openedAtMs: number | null = null;

  heard(untilMs: number): void {
    this.#heardUntilMs = untilMs;
  }

  ear({ kind }: CalleeSpeech): void {
    this.#earSpeaks = kind === 'began' || kind === 'resumed';
    // What follows is said to the agent.
    if (this.#earSpeaks) this.#openedAtMs = null;
  }

  /** `hasFirstWords`: the agent's are made, or being made. */
  gateOpens(hasFirstWords: boolean): void {
    if (hasFirstWords && !this.#earSpeaks) this.#openedAtMs = this.#heardUntilMs;
  }

  /** Whether an answer that begins now, and was not asked for, answers what the callee said before the gate opened. */
  get isAnswered(): boolean {
    return this.#openedAtMs !== null && this.#heardUntilMs - this.#openedAtMs < ANSWERED_WITHIN_MS;
  }
}
