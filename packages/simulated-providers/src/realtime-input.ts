import type { Clock } from '@outdial/kernel';
import type { ProviderLedger } from './ledger.ts';
import type { Script } from './script.ts';
import type { Ears } from './speech/ears.ts';
import type { SpeakText } from './voice.ts';

export interface RealtimeTimings {
  /** Silence that ends a turn, where the session names none. */
  readonly silenceMs: number;
  readonly thinkMs: number;
  readonly transcribeMs: number;
  /** How many times faster than life sound is made. */
  readonly soundSpeed: number;
  /** The same of GPT-Live, which makes it as it is to be played. */
  readonly liveSpeed: number;
}

/** What the servers of models of speech to speech work with. */
export interface RealtimeServerInput {
  readonly clock: Clock;
  readonly ears: Ears;
  readonly speak: SpeakText;
  readonly script: Script;
  readonly timings: RealtimeTimings;
  readonly ledger: Pick<ProviderLedger, 'add'>;
}
