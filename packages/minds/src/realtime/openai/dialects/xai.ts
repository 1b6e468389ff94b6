import { functionTools, type OpenAiRealtimeSettings, type TurnEnds } from '../settings.ts';
import type { RealtimeDialect } from './dialect.ts';
import { exactly } from './openai.ts';

const ULAW_8_KHZ = { type: 'audio/pcmu' } as const;

/**
 * xAI's Grok Voice. Its `voice` and `turn_detection` are fields of the session itself, and it has no limits of tokens, no
 * truncation of the conversation and no session of text: there it speaks too, and its words are read.
 *
 * Source: https://docs.x.ai/developers/model-capabilities/audio/voice-agent
 */
export const xaiDialect: RealtimeDialect = {
  provider: 'xai',
  headers: (credential) => ({ authorization: `Bearer ${credential}` }),
  session(settings, turns) {
    const { transcription } = settings;
    return {
      ...spokenBy(settings),
      turn_detection: turnDetection(settings, turns),
      audio: {
        input: {
          format: ULAW_8_KHZ,
          ...(transcription === null
            ? {}
            : {
                transcription: {
                  model: transcription.model,
                  ...(transcription.language === undefined ? {} : { language_hint: transcription.language }),
                  ...(transcription.keywords.length === 0 ? {} : { keyterms: transcription.keywords }),
                },
              }),
        },
        output: { format: ULAW_8_KHZ },
      },
    };
  },
  turnEnds: (settings, turns) => ({ turn_detection: turnDetection(settings, turns) }),
  textSession: (settings) => ({
    ...spokenBy(settings),
    turn_detection: null,
    audio: { output: { format: ULAW_8_KHZ } },
  }),
  // A response takes no choice of tools here.
  speech: (text) => ({ instructions: exactly(text) }),
  // Its conversation has the callee and the agent alone.
  instructed: (instructions) => ({ instructions }),
  billedBy: 'time',
  leavesCancelledOpen: true,
};

function spokenBy({ voice, instructions, reasoningEffort, tools }: OpenAiRealtimeSettings) {
  return {
    voice,
    instructions,
    ...(reasoningEffort === undefined ? {} : { reasoning: { effort: reasoningEffort } }),
    tools: functionTools(tools),
  };
}

function turnDetection(
  { turnDetection: { silenceMs, threshold, prefixPaddingMs } }: OpenAiRealtimeSettings,
  turns: TurnEnds,
) {
  if (turns === 'off') return null;
  return {
    type: 'server_vad',
    silence_duration_ms: silenceMs ?? 500,
    ...(threshold === undefined ? {} : { threshold }),
    ...(prefixPaddingMs === undefined ? {} : { prefix_padding_ms: prefixPaddingMs }),
    // Hints: the provider takes them, and its documentation does not promise to heed them.
    create_response: turns === 'answered',
    interrupt_response: false,
  };
}
