import { sessionOf, textSessionOf, turnDetectionOf } from '../settings.ts';
import type { RealtimeDialect } from './dialect.ts';

/** For the model: to say this text and nothing else. */
export function exactly(text: string): string {
  return `Say exactly the following, word for word, and nothing else: ${JSON.stringify(text)}`;
}

/** Source: https://platform.openai.com/docs/api-reference/realtime-client-events */
export const openAiDialect: RealtimeDialect = {
  provider: 'openai',
  headers: (credential) => ({ authorization: `Bearer ${credential}` }),
  session: sessionOf,
  turnEnds: (settings, turns) => ({
    type: 'realtime',
    audio: { input: { turn_detection: turnDetectionOf(settings, turns) } },
  }),
  textSession: textSessionOf,
  speech: (text) => ({ instructions: exactly(text), tool_choice: 'none' }),
  instructed: null,
  billedBy: 'tokens',
  leavesCancelledOpen: false,
};
