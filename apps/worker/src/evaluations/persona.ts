import type { RunProblem } from '@outdial/contracts';

/** What a persona does. Its calls come after the one that asks for them has returned, or within it. */
export interface PersonaListener {
  /** What the callee says; `hangsUp`: its last words. */
  readonly says: (text: string, hangsUp: boolean) => void;
  /** Without a word. */
  readonly hangsUp: () => void;
  readonly failed: (problem: RunProblem) => void;
}

/** A simulated callee. */
export interface Persona {
  /** The agent has said this, and waits. Empty: the agent waits for the callee to begin, or said nothing. */
  hear(text: string): void;
  /** Usage that is left is reported before it returns. Idempotent. */
  close(): void;
}
