import type { RealtimeDialect } from '../src/realtime/openai/dialects/dialect.ts';
import { azureDialect } from '../src/realtime/openai/dialects/azure.ts';
import { openAiDialect } from '../src/realtime/openai/dialects/openai.ts';
import { xaiDialect } from '../src/realtime/openai/dialects/xai.ts';
import { openOpenAiMind, type OpenAiMindInput } from '../src/realtime/openai/openai-mind.ts';
import type { OpenAiRealtimeSettings } from '../src/realtime/openai/settings.ts';
import type { OpenConnection } from '../src/connections.ts';
import { openReconnectingMind } from '../src/reconnecting-mind.ts';
import { createSockets } from '../src/sockets.ts';
import { loopbackSockets } from './loopback.ts';
import { watchedClock } from './open-timers.ts';
import { silence, type Provider } from './provider.ts';
import { Recording } from './recording.ts';

export const SETTINGS: OpenAiRealtimeSettings = {
  model: 'gpt-realtime-2.1',
  voice: 'marin',
  instructions: 'You call patients of a dental practice.',
  transcription: { model: 'gpt-4o-mini-transcribe', keywords: ['Miller'] },
  turnDetection: { type: 'server_vad', silenceMs: 200 },
  maxOutputTokens: 1_024,
  tools: [],
};
const XAI_SETTINGS: OpenAiRealtimeSettings = {
  ...SETTINGS,
  model: 'grok-voice-think-fast-1.0',
  voice: 'eve',
  transcription: { model: 'grok-transcribe', keywords: ['Miller'] },
  maxOutputTokens: null,
};

const TOO_LONG = { maxOutputTokens: 1_000_000 };

/** A dialect of the Realtime API, with settings that it takes. */
interface DialectCase {
  readonly provider: RealtimeDialect['provider'];
  readonly dialect: RealtimeDialect;
  readonly settings: OpenAiRealtimeSettings;
  /** Settings that it does not take. */
  readonly refused: Partial<OpenAiRealtimeSettings>;
  /** It says when the callee spoke. */
  readonly tellsTimes: boolean;
}

export const XAI: DialectCase = {
  provider: 'xai',
  dialect: xaiDialect,
  settings: XAI_SETTINGS,
  refused: { reasoningEffort: 'minimal' },
  tellsTimes: false,
};
export const DIALECTS: readonly DialectCase[] = [
  { provider: 'openai', dialect: openAiDialect, settings: SETTINGS, refused: TOO_LONG, tellsTimes: true },
  { provider: 'azure', dialect: azureDialect, settings: SETTINGS, refused: TOO_LONG, tellsTimes: true },
  XAI,
];
export const KEY = 'sk-simulated-canary-4711';

/** A mind of a simulated OpenAI, or of another dialect. */
export class RecordedMind extends Recording {
  constructor(
    provider: Provider,
    changes: Partial<OpenAiMindInput> = {},
    {
      reconnects = false,
      fallbacks = [],
    }: { reconnects?: boolean; fallbacks?: readonly OpenAiRealtimeSettings[] } = {},
  ) {
    const openWith =
      (others: Partial<OpenAiMindInput>): OpenConnection =>
      ({ history, listener }) =>
        openOpenAiMind({
          dialect: openAiDialect,
          settings: SETTINGS,
          credential: KEY,
          baseUrl: provider.baseUrlOf((others.dialect ?? openAiDialect).provider),
          openSocket: createSockets({ clock: watchedClock, egress: loopbackSockets(provider.ca), scope: 'allow_list' }),
          clock: watchedClock,
          history,
          listener,
          ...others,
        });
    const first = openWith(changes);
    const open = [first, ...fallbacks.map((settings) => openWith({ ...changes, settings }))];
    super((listener) =>
      reconnects ? openReconnectingMind({ open, listener, clock: watchedClock }) : first({ history: [], listener }),
    );
    // A connection that is billed by time is made with the first sound.
    if (changes.dialect?.billedBy === 'time') this.mind.hear(silence(20), -20);
  }
}
