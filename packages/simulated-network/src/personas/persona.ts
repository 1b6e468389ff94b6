import type { Sound } from './sounds.ts';

/** What a callee does to the call itself. The host (a simulated leg, a SIP endpoint) carries it out. */
export type CalleeSignal =
  | { readonly kind: 'ring' }
  /** Early media: heard before the answer, and not an answer. */
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

/** What may end a step early. Each cue is a state, not a moment: what happened before the step still counts. */
export type Cue = 'agent_speaking' | 'agent_finished' | 'digits';

/** One step of a script. `signal` takes no time. */
export type Step =
  | { readonly kind: 'signal'; readonly signal: CalleeSignal }
  | { readonly kind: 'say'; readonly sound: Sound; readonly until: readonly Cue[] }
  | { readonly kind: 'wait'; readonly ms: number; readonly until: readonly Cue[] }
  /** Echoes the audio, for as long as the call lasts. */
  | { readonly kind: 'echo'; readonly until: readonly Cue[] };

export type TimedStep = Exclude<Step, { kind: 'signal' }>;

/** Why a step has ended. */
export interface StepEnd {
  readonly cue: Cue | 'elapsed';
  /** With `agent_finished`: the length of the agent's turn. */
  readonly turnMs: number;
  /** With `digits`: the digits since the last time. */
  readonly digits: string;
}

/** When a script ends, the callee stays silent on the call. */
export type Script = Generator<Step, void, StepEnd>;

/** What the far end of a persona does when it is asked to transfer the call. */
export type TransferAnswer =
  /** Calls the destination, and reports on it. */
  | { readonly kind: 'accepts' }
  | { readonly kind: 'refuses'; readonly sipCode: number }
  /** Accepts, and does and reports nothing. */
  | { readonly kind: 'ignores' };

/** A person or machine that can be called. It does not know how it is reached. */
export interface Persona {
  readonly name: string;
  /** False: it never responds to anything. */
  readonly reachable: boolean;
  /** Every sound of the script: rendered before it starts. */
  readonly sounds: readonly Sound[];
  readonly play: () => Script;
  /** What its network does with a transfer; without it, the network carries it out. */
  readonly transfer?: TransferAnswer;
}
