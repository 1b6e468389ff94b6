import { once } from 'node:events';
import { createServer } from 'node:https';
import { systemClock, type Clock } from '@outdial/kernel';
import {
  createEars,
  createProviderLedger,
  encodeUlaw,
  serveRealtime,
  type KnownSentence,
  type LedgerEntry,
  type ProviderLedger,
  type RealtimeTimings,
  type Script,
} from '@outdial/simulated-providers';
import { LOCALHOST_IDENTITY } from '@outdial/testkit';

const SAMPLES_PER_MS = 8;

/** Speech-like sound for a text: the character decides the loudness and length of each syllable. */
export function soundOf(text: string): Int16Array {
  const syllables = Array.from({ length: text.length }, (_, index) => {
    const code = text.charCodeAt(index);
    const samples = new Int16Array((60 + (code % 5) * 20) * SAMPLES_PER_MS);
    const amplitude = 2_000 + (code % 7) * 2_500;
    for (let at = 0; at < samples.length; at += 1) {
      samples[at] = Math.round(amplitude * Math.sin((2 * Math.PI * 300 * at) / 8_000));
    }
    return samples;
  });
  const sound = new Int16Array(syllables.reduce((length, { length: more }) => length + more, 0));
  let at = 0;
  for (const syllable of syllables) {
    sound.set(syllable, at);
    at += syllable.length;
  }
  return sound;
}

export const silence = (ms: number): Uint8Array => new Uint8Array(ms * SAMPLES_PER_MS).fill(0xff);
export const ulawOf = (text: string): Uint8Array => encodeUlaw(soundOf(text));

export interface Provider {
  /** Where the interface of a provider begins, such as `wss://…/v1` of OpenAI. */
  readonly baseUrlOf: (provider: keyof typeof PATHS) => string;
  readonly ca: string;
  /** The sum of what the provider reported as used in responses. */
  readonly billedTokens: () => number;
  /** What it reported as used to transcribe. */
  readonly billedTranscription: (unit: LedgerEntry['unit']) => number;
  readonly ledger: ProviderLedger;
  /** How many connections it has. */
  readonly underWay: () => number;
  /** Ends all connections; new ones are accepted. */
  readonly disconnect: () => void;
  readonly close: () => Promise<void>;
}

const PATHS = { openai: '/v1', openai_live: '/v1', azure: '/openai/v1', xai: '/xai/v1', google: '/v1beta' } as const;
const TIMINGS: RealtimeTimings = { silenceMs: 200, thinkMs: 5, transcribeMs: 5, soundSpeed: 50, liveSpeed: 50 };

/** A simulated OpenAI, Azure, xAI and Google over TLS on loopback. */
export async function startProvider(input: {
  readonly script: Script;
  readonly sentences?: readonly string[];
  readonly timings?: Partial<RealtimeTimings>;
  readonly clock?: Clock;
}): Promise<Provider> {
  const server = createServer({ key: LOCALHOST_IDENTITY.key, cert: LOCALHOST_IDENTITY.certificate });
  const ledger = createProviderLedger();
  const sentences = (input.sentences ?? []).map((text): KnownSentence => ({ text, samples: soundOf(text) }));
  const realtime = serveRealtime(server, {
    clock: input.clock ?? systemClock,
    ears: createEars(sentences),
    speak: async (text) => soundOf(text),
    script: input.script,
    timings: { ...TIMINGS, ...input.timings },
    ledger,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrlOf: (provider) => `wss://localhost:${port}${PATHS[provider]}`,
    ca: LOCALHOST_IDENTITY.authority,
    billedTokens: () => ledger.total({ unit: 'token' }),
    billedTranscription: (unit) => ledger.total({ component: 'stt', unit }),
    ledger,
    underWay: () => realtime.underWay(),
    disconnect: () => realtime.disconnect(),
    async close() {
      realtime.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
