import type { Clock } from '@outdial/kernel';
import type { MediaClock } from '@outdial/telephony';
import { Callee } from '../personas/callee.ts';
import type { CalleeSignal, Persona } from '../personas/persona.ts';
import type { SoundBank } from '../personas/sound-bank.ts';
import { TimedCallee } from '../personas/timed-callee.ts';
import type { MediaPath } from './media-path.ts';

/** The callee's end of a simulated call. */
export interface FarEnd {
  /** The callee is gone. Idempotent; may be called inside a signal. */
  stop(): void;
}

interface FarEndInput {
  readonly line: MediaPath;
  /** Never called before `begin` has returned. */
  readonly onSignal: (signal: CalleeSignal) => void;
}

/** Starts a callee on a line. */
export type BeginFarEnd = (input: FarEndInput) => FarEnd;

/** Does the slow work, so that the callee can be reached within one tick afterwards. */
export type PrepareFarEnd = (persona: Persona) => Promise<BeginFarEnd>;

/** Callees with audio in both directions. */
export function speakingFarEnds(clock: MediaClock, sounds: SoundBank): PrepareFarEnd {
  return async (persona) => {
    const samples = await sounds.prepare(persona.sounds);
    return ({ line, onSignal }) => {
      const callee = new Callee({ persona, samples, onSignal });
      const ticks = clock.subscribe(() => line.exchange((heard, digits) => callee.tick(heard, digits)));
      return {
        stop() {
          ticks.cancel();
          callee.stop();
        },
      };
    };
  };
}

/** Callees without audio, on timers alone. */
export function silentFarEnds(network: Pick<Clock, 'after'>): PrepareFarEnd {
  return (persona) =>
    Promise.resolve(({ onSignal }) => {
      const callee = new TimedCallee({ persona, clock: network, onSignal });
      queueMicrotask(() => callee.begin());
      return callee;
    });
}
