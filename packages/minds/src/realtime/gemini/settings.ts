import type { Tool } from '../../tool.ts';
import { NOTES_EXPLAINED } from '../notes.ts';
import { functionDeclaration } from './function-declaration.ts';

export interface GeminiTurnDetection {
  readonly startSensitivity: 'low' | 'high';
  readonly endSensitivity: 'low' | 'high';
  /** Speech of this length begins a turn. */
  readonly prefixPaddingMs: number;
  readonly silenceMs: number;
}

export interface GeminiLiveSettings {
  readonly model: string;
  readonly voice: string;
  readonly instructions: string;
  /** Null: the callee's words are not transcribed. */
  readonly transcription: { readonly language: string; readonly keywords: readonly string[] } | null;
  readonly turnDetection: GeminiTurnDetection;
  readonly maxOutputTokens: number;
  readonly tools: readonly Tool[];
}

/** Of a long call the model reads this much again for every answer; older turns are dropped. */
const COMPRESSED_FROM_TOKENS = 10_000;
const COMPRESSED_TO_TOKENS = 8_000;

/**
 * The first message of a connection. It holds for as long as the connection: the API has no change of settings.
 *
 * Source: https://ai.google.dev/api/live#BidiGenerateContentSetup
 */
export function setupOf(settings: GeminiLiveSettings): Readonly<Record<string, unknown>> {
  const { model, voice, instructions, transcription, turnDetection, maxOutputTokens, tools } = settings;
  return {
    model: `models/${model}`,
    generationConfig: {
      responseModalities: ['AUDIO'],
      maxOutputTokens,
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } },
    },
    systemInstruction: { parts: [{ text: `${instructions}\n\n${NOTES_EXPLAINED}` }] },
    ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations: tools.map(functionDeclaration) }] }),
    realtimeInputConfig: {
      automaticActivityDetection: {
        startOfSpeechSensitivity: `START_SENSITIVITY_${turnDetection.startSensitivity.toUpperCase()}`,
        endOfSpeechSensitivity: `END_SENSITIVITY_${turnDetection.endSensitivity.toUpperCase()}`,
        prefixPaddingMs: turnDetection.prefixPaddingMs,
        silenceDurationMs: turnDetection.silenceMs,
      },
    },
    ...(transcription === null
      ? {}
      : {
          inputAudioTranscription: {
            languageCodes: [transcription.language],
            ...(transcription.keywords.length === 0 ? {} : { customVocabulary: transcription.keywords }),
          },
        }),
    outputAudioTranscription: {},
    contextWindowCompression: {
      triggerTokens: String(COMPRESSED_FROM_TOKENS),
      slidingWindow: { targetTokens: String(COMPRESSED_TO_TOKENS) },
    },
  };
}
