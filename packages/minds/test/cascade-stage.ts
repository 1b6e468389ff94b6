import { once } from 'node:events';
import { createServer } from 'node:http';
import { systemClock, type Clock } from '@outdial/kernel';
import {
  createEars,
  createSimulatedProviders,
  type ProviderTimings,
  type Script,
  type SimulatedProviders,
} from '@outdial/simulated-providers';
import type { ProviderAccess } from '../src/cascade/connection.ts';
import type { LanguageModel } from '../src/cascade/llm/language-model.ts';
import type { LocalAccess } from '../src/cascade/local/local-server.ts';
import { openAiCompatibleModel } from '../src/cascade/llm/openai-compatible/openai-compatible.ts';
import { openCascadeMind, type CascadeMindInput } from '../src/cascade/open-cascade-mind.ts';
import { deepgramFlux } from '../src/cascade/stt/deepgram/deepgram-flux.ts';
import { localEars, type LocalEarsSettings } from '../src/cascade/stt/local/local-ears.ts';
import { elevenLabs } from '../src/cascade/tts/elevenlabs/elevenlabs.ts';
import { localVoice, type LocalVoiceSettings } from '../src/cascade/tts/local/local-voice.ts';
import { createSockets } from '../src/sockets.ts';
import { loopbackSockets } from './loopback.ts';
import { expectNothingLeft } from './nothing-left.ts';
import { watchedClock } from './open-timers.ts';
import { soundOf } from './provider.ts';
import { Recording } from './recording.ts';

export const KEY = 'sk-simulated-canary-4711';

const TIMINGS: Partial<ProviderTimings> = { firstTokenMs: 1, tokenMs: 0, firstSoundMs: 1, soundSpeed: 200 };

/** All simulated providers on a port, and minds that use them. */
export class CascadeStage {
  readonly #cleanups: (() => Promise<void> | void)[] = [];
  readonly #port: number;
  readonly disconnect: () => void;
  readonly ledger: SimulatedProviders['ledger'];
  /** The bodies of the requests to models. */
  readonly requests: string[] = [];

  private constructor(port: number, providers: SimulatedProviders, disconnect: () => void) {
    this.#port = port;
    this.ledger = providers.ledger;
    this.disconnect = disconnect;
  }

  static async open(input: {
    readonly script: Script;
    readonly sentences?: readonly string[];
    readonly timings?: Partial<ProviderTimings>;
  }): Promise<CascadeStage> {
    const server = createServer();
    const providers = createSimulatedProviders({
      clock: systemClock,
      ears: createEars((input.sentences ?? []).map((text) => ({ text, samples: soundOf(text) }))),
      speak: async (text) => soundOf(text),
      script: input.script,
      timings: { ...TIMINGS, ...input.timings },
    });
    const served = providers.serve(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const stage = new CascadeStage(port, providers, () => served.disconnect());
    stage.#cleanups.push(async () => {
      await expectNothingLeft(served);
      served.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return stage;
  }

  get httpUrl(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  /** Of Google, whose version differs. */
  get googleUrl(): string {
    return `http://127.0.0.1:${this.#port}/v1beta`;
  }

  access(changes: Partial<ProviderAccess> = {}): ProviderAccess {
    return {
      credential: KEY,
      baseUrl: `ws://127.0.0.1:${this.#port}`,
      openSocket: createSockets({ clock: watchedClock, egress: loopbackSockets(), scope: 'allow_list' }),
      clock: watchedClock,
      ...changes,
    };
  }

  fetch: typeof globalThis.fetch = (url, init) => {
    if (typeof init?.body === 'string') this.requests.push(init.body);
    return fetch(url, init);
  };

  model(name = 'gpt-simulated', credential = KEY): LanguageModel {
    return openAiCompatibleModel({
      settings: { provider: 'openai', model: name, maxOutputTokens: 300 },
      credential,
      baseUrl: this.httpUrl,
      fetch: this.fetch,
    });
  }

  ears(model = 'flux-general-en', eagerEotThreshold: number | null = null) {
    return deepgramFlux(this.access(), { model, keywords: ['Miller'], eagerEotThreshold });
  }

  voice(model = 'eleven_flash_v2_5') {
    return elevenLabs(this.access(), { model, voice: 'voice1' });
  }

  localAccess(changes: Partial<LocalAccess> = {}): LocalAccess {
    return { credential: KEY, baseUrl: this.httpUrl, fetch: this.fetch, clock: watchedClock, ...changes };
  }

  localEars(changes: Partial<LocalEarsSettings> = {}, access: Partial<LocalAccess> = {}) {
    return localEars(this.localAccess(access), {
      model: 'whisper-simulated',
      language: 'en',
      keywords: ['Miller'],
      silenceMs: 250,
      eagerSilenceMs: null,
      ...changes,
    });
  }

  localVoice(changes: Partial<LocalVoiceSettings> = {}, access: Partial<LocalAccess> = {}) {
    return localVoice(this.localAccess(access), {
      model: 'kokoro-simulated',
      voice: 'af_heart',
      format: 'pcm',
      ...changes,
    });
  }

  /** A mind whose providers are as they should be, but for the changes. */
  mind(changes: Partial<CascadeMindInput> & { readonly clock?: Clock } = {}): Recording {
    const recording = new Recording((listener) =>
      openCascadeMind({
        instructions: 'You call patients of a dental practice.',
        tools: [],
        stt: [this.ears()],
        llm: [this.model()],
        tts: [this.voice()],
        clock: watchedClock,
        ...changes,
        listener,
      }),
    );
    this.#cleanups.push(() => recording.mind.close());
    return recording;
  }

  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).toReversed()) await cleanup();
  }
}
