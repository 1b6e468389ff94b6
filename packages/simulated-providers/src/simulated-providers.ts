import type { Server } from 'node:http';
import type { Clock } from '@outdial/kernel';
import { anthropicMessages } from './anthropic/messages.ts';
import { ttsWebsocket } from './cartesia/tts-websocket.ts';
import type { ChatTimings } from './chat/answer-stream.ts';
import { chatCompletions } from './chat/completions.ts';
import { modelList } from './chat/model-list.ts';
import { checkEndpoints } from './check-endpoints.ts';
import { listenV1 } from './deepgram/listen-v1.ts';
import { listenV2, type ListenTimings } from './deepgram/listen-v2.ts';
import { speakV2 } from './deepgram/speak-v2.ts';
import { multiStreamInput } from './elevenlabs/multi-stream-input.ts';
import { liveEndpoint } from './gemini-live/server.ts';
import { generateContent, googleModels } from './google/generate-content.ts';
import { serveEndpoints, type RequestEndpoint, type ServedEndpoints } from './http/endpoints.ts';
import { createProviderLedger, type ProviderLedger } from './ledger.ts';
import { audioSpeech } from './local/audio-speech.ts';
import { audioTranscriptions } from './local/audio-transcriptions.ts';
import { gptLiveEndpoint } from './openai-live/server.ts';
import { realtimeEndpoints } from './openai-realtime/server.ts';
import type { RealtimeTimings } from './realtime-input.ts';
import type { Script } from './script.ts';
import type { Ears } from './speech/ears.ts';
import type { SpeechTimings } from './speech/utterance-stream.ts';
import type { SpeakText } from './voice.ts';

/** The delays of the providers, by the clock; those that end turns, by the sound. */
export type ProviderTimings = RealtimeTimings & ListenTimings & ChatTimings & SpeechTimings;

export interface SimulatedProvidersInput {
  readonly clock: Clock;
  readonly ears: Ears;
  readonly speak: SpeakText;
  readonly script: Script;
  readonly timings?: Partial<ProviderTimings>;
  /** Default: a new one. */
  readonly ledger?: ProviderLedger;
  /** Further requests that the server answers, such as those of an agent's tool. */
  readonly requests?: readonly RequestEndpoint[];
}

export interface SimulatedProviders {
  readonly ledger: ProviderLedger;
  /** Serves all providers on one HTTP server, which listens by itself. */
  serve(server: Server): ServedEndpoints;
}

/** About what the real ones take, and the same each time. */
const TIMINGS: ProviderTimings = {
  silenceMs: 500,
  thinkMs: 200,
  transcribeMs: 100,
  soundSpeed: 8,
  liveSpeed: 1,
  endOfTurnMs: 260,
  eagerEndOfTurnMs: 120,
  firstTokenMs: 120,
  tokenMs: 8,
  firstSoundMs: 100,
};

/** Every simulated provider: OpenAI, Azure, xAI, Anthropic, Google, Deepgram, ElevenLabs, Cartesia and a local server. */
export function createSimulatedProviders(input: SimulatedProvidersInput): SimulatedProviders {
  const { clock, ears, speak, script, ledger = createProviderLedger(), requests = [] } = input;
  const timings = { ...TIMINGS, ...input.timings };
  const realtime = { clock, ears, speak, script, timings, ledger };
  const chat = { clock, script, timings, ledger };
  return {
    ledger,
    serve: (server) =>
      serveEndpoints(server, {
        sockets: [
          ...realtimeEndpoints(realtime),
          liveEndpoint(realtime),
          gptLiveEndpoint(realtime),
          listenV2({ ears, timings, ledger }),
          listenV1({ ears, timings, ledger }),
          speakV2({ clock, speak, timings, ledger }),
          multiStreamInput({ clock, speak, timings, ledger }),
          ttsWebsocket({ clock, speak, timings, ledger }),
        ],
        requests: [
          chatCompletions(chat),
          audioTranscriptions({ clock, ears, timings, ledger }),
          audioSpeech({ clock, speak, timings, ledger }),
          anthropicMessages(chat),
          generateContent(chat),
          modelList(),
          googleModels(),
          ...checkEndpoints(),
          ...requests,
        ],
      }),
  };
}
