import { systemClock } from '@outdial/kernel';
import { openOpenAiMind, type OpenAiMindInput } from '../src/realtime/openai/openai-mind.ts';
import type { OpenAiRealtimeSettings } from '../src/realtime/openai/settings.ts';
import { openReconnectingMind, type OpenConnection } from '../src/reconnecting-mind.ts';
import { createSockets } from '../src/sockets.ts';
import { loopbackSockets } from './loopback.ts';
import type { Provider } from './provider.ts';
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
export const KEY = 'sk-simulated-canary-4711';

/** A mind of a simulated OpenAI. */
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
          settings: SETTINGS,
          credential: KEY,
          baseUrl: provider.baseUrl,
          openSocket: createSockets({ clock: systemClock, egress: loopbackSockets(provider.ca), scope: 'allow_list' }),
          clock: systemClock,
          history,
          listener,
          ...others,
        });
    const first = openWith(changes);
    const open = [first, ...fallbacks.map((settings) => openWith({ settings }))];
    super((listener) =>
      reconnects ? openReconnectingMind({ open, listener, clock: systemClock }) : first({ history: [], listener }),
    );
  }
}
