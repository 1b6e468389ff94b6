import { openOpenAiLiveMind, type OpenAiLiveMindInput } from '../src/realtime/openai-live/openai-live-mind.ts';
import type { OpenAiLiveSettings } from '../src/realtime/openai-live/settings.ts';
import type { OpenConnection } from '../src/connections.ts';
import { openReconnectingMind } from '../src/reconnecting-mind.ts';
import { createSockets } from '../src/sockets.ts';
import { loopbackSockets } from './loopback.ts';
import { watchedClock } from './open-timers.ts';
import { silence, type Provider } from './provider.ts';
import { KEY } from './recorded-mind.ts';
import { Recording } from './recording.ts';

export const LIVE_SETTINGS: OpenAiLiveSettings = {
  model: 'gpt-live-1.1',
  voice: 'marin',
  instructions: 'You call patients of a dental practice.',
  delegation: { model: 'gpt-5-mini', maxOutputTokens: 2_048 },
  tools: [],
};
/** Frames of a call pass this many times faster than life, as the simulated model speaks. */
const SPEED = 50;
const FRAME_MS = 100;

/** A mind of a simulated GPT-Live, whose callee is silent where the test says nothing. */
export class LiveRecording extends Recording {
  #line: NodeJS.Timeout | null = null;

  constructor(
    provider: Provider,
    {
      settings = {},
      ...changes
    }: Omit<Partial<OpenAiLiveMindInput>, 'settings'> & { settings?: Partial<OpenAiLiveSettings> } = {},
    { reconnects = false, renewAfterMs }: { reconnects?: boolean; renewAfterMs?: number } = {},
  ) {
    const open: OpenConnection = ({ history, listener }) =>
      openOpenAiLiveMind({
        settings: { ...LIVE_SETTINGS, ...settings },
        credential: KEY,
        baseUrl: provider.baseUrlOf('openai_live'),
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

  /** The line is open from here on: the connection is made with its first sound. */
  answer(): void {
    this.mind.hear(silence(FRAME_MS), -FRAME_MS);
    this.#line = setInterval(() => this.hearSilence(FRAME_MS), FRAME_MS / SPEED);
  }

  end(): void {
    if (this.#line !== null) clearInterval(this.#line);
    this.mind.close();
  }
}
