import { openGeminiMind, type GeminiMindInput } from '../src/realtime/gemini/gemini-mind.ts';
import type { GeminiLiveSettings } from '../src/realtime/gemini/settings.ts';
import type { OpenConnection } from '../src/connections.ts';
import { openReconnectingMind } from '../src/reconnecting-mind.ts';
import { createSockets } from '../src/sockets.ts';
import { loopbackSockets } from './loopback.ts';
import { watchedClock } from './open-timers.ts';
import type { Provider } from './provider.ts';
import { KEY } from './recorded-mind.ts';
import { Recording } from './recording.ts';

export const GEMINI_SETTINGS: GeminiLiveSettings = {
  model: 'gemini-3.8-live',
  voice: 'Kore',
  instructions: 'You call patients of a dental practice.',
  transcription: { language: 'en-US', keywords: ['Miller'] },
  turnDetection: { startSensitivity: 'high', endSensitivity: 'high', prefixPaddingMs: 60, silenceMs: 200 },
  maxOutputTokens: 1_024,
  tools: [],
};

/** A mind of a simulated Google. */
export class GeminiRecording extends Recording {
  constructor(
    provider: Provider,
    {
      settings = {},
      ...changes
    }: Omit<Partial<GeminiMindInput>, 'settings'> & { settings?: Partial<GeminiLiveSettings> } = {},
    { reconnects = false, renewAfterMs }: { reconnects?: boolean; renewAfterMs?: number } = {},
  ) {
    const open: OpenConnection = ({ history, listener }) =>
      openGeminiMind({
        settings: { ...GEMINI_SETTINGS, ...settings },
        credential: KEY,
        baseUrl: provider.baseUrlOf('google'),
        openSocket: createSockets({ clock: watchedClock, egress: loopbackSockets(provider.ca), scope: 'allow_list' }),
        clock: watchedClock,
        history,
        listener,
        ...changes,
      });
    super((listener) =>
      reconnects
        ? openReconnectingMind({
            open: [open],
            listener,
            clock: watchedClock,
            ...(renewAfterMs === undefined ? {} : { renewAfterMs }),
          })
        : open({ history: [], listener }),
    );
  }
}
