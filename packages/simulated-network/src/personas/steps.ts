import type { Cue, Step } from './persona.ts';
import type { Sound } from './sounds.ts';

/** The vocabulary of scripts. */

export const ring: Step = { kind: 'signal', signal: { kind: 'ring' } };
export const progress: Step = { kind: 'signal', signal: { kind: 'progress' } };
export const answer: Step = { kind: 'signal', signal: { kind: 'answer' } };
export const hangUp: Step = { kind: 'signal', signal: { kind: 'hang_up' } };
export const press = (digits: string): Step => ({ kind: 'signal', signal: { kind: 'press', digits } });
export const hold: Step = { kind: 'signal', signal: { kind: 'hold', held: true } };
export const resume: Step = { kind: 'signal', signal: { kind: 'hold', held: false } };

/** Rejects the call with a final response and, where the network sends one, its ITU-T Q.850 cause. */
export const reject = (sipCode: number, q850Cause: number | null, retryAfterSeconds: number | null = null): Step => ({
  kind: 'signal',
  signal: { kind: 'reject', sipCode, q850Cause, retryAfterSeconds },
});

export const say = (sound: Sound, ...until: readonly Cue[]): Step => ({ kind: 'say', sound, until });

export const wait = (ms: number, ...until: readonly Cue[]): Step => ({ kind: 'wait', ms, until });

export const waitFor = (...until: readonly Cue[]): Step => ({ kind: 'wait', ms: Number.POSITIVE_INFINITY, until });

export const echoBack: Step = { kind: 'echo', until: [] };
