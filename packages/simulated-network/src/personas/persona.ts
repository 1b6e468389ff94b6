import type { Sound } from './sounds.ts';

/** What a callee does to the call itself. The host (a simulated leg, a SIP endpoint) carries it out. */
export type CalleeSignal =
  | { readonly kind: 'ring' }
  /** Early media: it is heard before the answer and is none. */
  | { readonly kind: 'progress' }
  | { readonly kind: 'answer' }
  | {
      readonly kind: 'reject';
      readonly sipCode: number;
      readonly q850Cause: number | null;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: 'hang_up' }
  | { readonly kind: 'hold'; readonly held: boolean }
  | { readonly kind: 'press'; readonly digits: string };

/** What may end a step before its time. Each is a state, not a moment: what happened while nobody asked still counts. */
export type Cue = 'agent_speaking' | 'agent_finished' | 'digits';

/** One step of a script. `signal` takes no time. */
export type Step =
  | { readonly kind: 'signal'; readonly signal: CalleeSignal }
  | { readonly kind: 'say'; readonly sound: Sound; readonly until: readonly Cue[] }
  | { readonly kind: 'wait'; readonly ms: number; readonly until: readonly Cue[] }
  /** Sends back what it hears, for as long as the call lasts. */
  | { readonly kind: 'echo'; readonly until: readonly Cue[] };

export type TimedStep = Exclude<Step, { kind: 'signal' }>;

/** Why a step is over. */
export interface StepEnd {
  readonly cue: Cue | 'elapsed';
  /** With `agent_finished`: how long the agent's turn was. */
  readonly turnMs: number;
  /** With `digits`: what was pressed since the last time. */
  readonly digits: string;
}

/** A script that has run out leaves the callee silent on the line. */
export type Script = Generator<Step, void, StepEnd>;

/** Somebody, or something, that can be called. Knows nothing of how it is reached. */
export interface Persona {
  readonly name: string;
  /** False: whatever is sent to it, nothing comes back. */
  readonly reachable: boolean;
  /** Every sound of the script: they are made ready before it begins. */
  readonly sounds: readonly Sound[];
  readonly play: () => Script;
}
