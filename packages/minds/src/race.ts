import type { Beside } from './connections.ts';
import type { Mind, MindEvent } from './mind.ts';

export interface RaceInput {
  /** The fallback that runs first. */
  readonly choice: number;
  /** Asks a fallback for the answer; null: there is none of this number. */
  readonly open: (choice: number, listener: (event: MindEvent) => void) => Beside | null;
  /** The answer of the runner begins. */
  readonly won: () => void;
  /** No fallback can answer. */
  readonly lost: () => void;
  /** Ends a runner that is of no use. */
  readonly leave: (mind: Mind) => void;
}

/**
 * A fallback races a mind whose answer is late: the first sound or tool call decides. Until then nothing of the fallback is
 * heard. One that fails is followed by the next.
 */
export class Race {
  readonly #input: RaceInput;
  #runner: Beside | null = null;
  #isReady = false;
  /** What the runner has reported, until it wins. */
  #held: MindEvent[] = [];
  /** The mind has reported what the callee said until then. */
  #saidUntilMs = Number.NEGATIVE_INFINITY;

  constructor(input: RaceInput) {
    this.#input = input;
  }

  /** Null: none runs. */
  get runner(): Beside | null {
    return this.#runner;
  }

  /** The provider of the runner has accepted its settings. */
  get isReady(): boolean {
    return this.#isReady;
  }

  start(): void {
    this.#run(this.#input.choice);
  }

  /** The race is over: no fallback follows the runner, even if it fails. @returns the runner */
  stop(): Beside | null {
    const runner = this.#runner;
    this.#runner = null;
    return runner;
  }

  /** Of the mind that is raced. */
  observe(event: MindEvent): void {
    if (event.kind === 'callee_said') this.#saidUntilMs = Math.max(this.#saidUntilMs, event.endMs);
  }

  /** The runner has won, or is all there is: what was held back, without turns of the callee that the mind has reported. */
  take(): readonly MindEvent[] {
    const held = this.#held;
    this.#held = [];
    return held.filter((event) => {
      if (event.kind === 'callee_speaking') return false;
      return event.kind !== 'callee_said' || event.startMs >= this.#saidUntilMs;
    });
  }

  #run(choice: number): void {
    this.#isReady = false;
    this.#held = [];
    this.#runner = this.#input.open(choice, (event) => this.#receive(choice, event));
    if (this.#runner === null) this.#input.lost();
  }

  #receive(choice: number, event: MindEvent): void {
    const runner = this.#runner;
    if (runner?.choice !== choice) return;
    switch (event.kind) {
      case 'ready':
        this.#isReady = true;
        return;
      case 'failed':
      case 'answer_failed':
      case 'answer_over':
        // A runner that ends without sound helps no more than the late mind: the next fallback runs.
        this.#input.leave(runner.mind);
        return this.#run(choice + 1);
      case 'sound':
      case 'tool_call':
        this.#held.push(event);
        return this.#input.won();
      case 'usage':
      case 'near_limit':
      case 'ignored':
      case 'expiring':
      case 'recovered':
        return;
      case 'words':
      case 'answer_timed':
      case 'item_over':
      case 'callee_speaking':
      case 'callee_said':
        this.#held.push(event);
        return;
    }
  }
}
