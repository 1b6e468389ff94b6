import type { Fault } from './faults.ts';
import type { RealtimeServerInput } from './realtime-input.ts';

/** What a session of speech to speech works with. */
export interface SessionInput extends RealtimeServerInput {
  /** What it hears of the callee's sound. */
  readonly hears: (samples: Int16Array) => Int16Array;
}

const SLOW_MS = 10_000;

/** A session goes wrong as the model's name asks for. What goes wrong with its messages is not decided here. */
export function inputUnder(fault: Fault | null, input: RealtimeServerInput): SessionInput {
  const { script, timings } = input;
  return {
    ...input,
    script: fault?.kind === 'empty' ? { opening: {}, rules: [], otherwise: {} } : script,
    timings: fault?.kind === 'slow-tokens' ? { ...timings, thinkMs: SLOW_MS } : timings,
    hears: (samples) => (fault?.kind === 'deaf' ? new Int16Array(samples.length) : samples),
  };
}
