import type { Tool } from '../../tool.ts';

/** Whether the provider ends the callee's turns, and then answers by itself. `off`: turns end by our word. */
export type TurnEnds = 'answered' | 'unanswered' | 'off';

export interface OpenAiTurnDetection {
  readonly type: 'server_vad' | 'semantic_vad';
  /** For `server_vad`. */
  readonly silenceMs?: number;
  /** For `server_vad`: 0 to 1, how loud speech must be. */
  readonly threshold?: number;
  /** For `server_vad`: sound before the speech that belongs to it. */
  readonly prefixPaddingMs?: number;
  /** For `semantic_vad`: how soon a turn counts as over. */
  readonly eagerness?: 'low' | 'medium' | 'high' | 'auto';
}

export interface OpenAiRealtimeSettings {
  readonly model: string;
  readonly voice: string;
  readonly instructions: string;
  /** Null: the callee's words are not transcribed. */
  readonly transcription: {
    readonly model: string;
    readonly language?: string;
    readonly keywords: readonly string[];
  } | null;
  readonly turnDetection: OpenAiTurnDetection;
  /** Default: the provider hears the sound as it comes. xAI has none. */
  readonly noiseReduction?: 'near_field' | 'far_field';
  /** Null: the provider has no such limit. */
  readonly maxOutputTokens: number | null;
  /** Only for models that reason. */
  readonly reasoningEffort?: 'none' | 'minimal' | 'low' | 'medium' | 'high';
  readonly tools: readonly Tool[];
}

/** Of a long call the model reads this much again for every answer; older turns are dropped. */
const MAX_CONVERSATION_TOKENS = 8_000;
const RETAINED_SHARE = 0.8;
const ULAW_8_KHZ = { type: 'audio/pcmu' } as const;

/** The answer to a callee's turn starts by itself only once the gate is open; barge-in is decided on our side. */
export function turnDetectionOf(
  { turnDetection }: OpenAiRealtimeSettings,
  turns: TurnEnds,
): Readonly<Record<string, unknown>> | null {
  if (turns === 'off') return null;
  const answers = { create_response: turns === 'answered', interrupt_response: false };
  const { type, silenceMs, threshold, prefixPaddingMs, eagerness } = turnDetection;
  if (type === 'semantic_vad') return { type, ...(eagerness === undefined ? {} : { eagerness }), ...answers };
  return {
    type,
    silence_duration_ms: silenceMs ?? 500,
    ...(threshold === undefined ? {} : { threshold }),
    ...(prefixPaddingMs === undefined ? {} : { prefix_padding_ms: prefixPaddingMs }),
    ...answers,
  };
}

/** The `session` of a `session.update` that begins a connection. */
export function sessionOf(settings: OpenAiRealtimeSettings, turns: TurnEnds): Readonly<Record<string, unknown>> {
  const { transcription, noiseReduction } = settings;
  return {
    ...textOf(settings),
    output_modalities: ['audio'],
    audio: {
      input: {
        format: ULAW_8_KHZ,
        ...(noiseReduction === undefined ? {} : { noise_reduction: { type: noiseReduction } }),
        ...(transcription === null
          ? {}
          : {
              transcription: {
                model: transcription.model,
                ...(transcription.language === undefined ? {} : { language: transcription.language }),
                ...(transcription.keywords.length === 0 ? {} : { prompt: transcription.keywords.join(', ') }),
              },
            }),
        turn_detection: turnDetectionOf(settings, turns),
      },
      output: { format: ULAW_8_KHZ, voice: settings.voice },
    },
  };
}

/** The same for a conversation in text: no sound comes in or goes out. */
export function textSessionOf(settings: OpenAiRealtimeSettings): Readonly<Record<string, unknown>> {
  return { ...textOf(settings), output_modalities: ['text'] };
}

/** What a session of sound and one of text have in common. */
function textOf(settings: OpenAiRealtimeSettings): Readonly<Record<string, unknown>> {
  return {
    type: 'realtime',
    instructions: settings.instructions,
    ...(settings.maxOutputTokens === null ? {} : { max_output_tokens: settings.maxOutputTokens }),
    ...(settings.reasoningEffort === undefined ? {} : { reasoning: { effort: settings.reasoningEffort } }),
    truncation: {
      type: 'retention_ratio',
      retention_ratio: RETAINED_SHARE,
      token_limits: { post_instructions: MAX_CONVERSATION_TOKENS },
    },
    tools: functionTools(settings.tools),
    tool_choice: 'auto',
  };
}

export function functionTools(tools: readonly Tool[]) {
  return tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters }));
}
