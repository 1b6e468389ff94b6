import type { RealtimeModel, RealtimeSettings } from '@outdial/contracts';
import { unreachable, type Clock } from '@outdial/kernel';
import {
  azureDialect,
  CallReadyLimit,
  openAiDialect,
  openGeminiMind,
  openOpenAiLiveMind,
  openOpenAiMind,
  openReconnectingMind,
  xaiDialect,
  type GeminiLiveSettings,
  type Mind,
  type OpenAiLiveSettings,
  type OpenAiRealtimeSettings,
  type OpenAiTurnDetection,
  type OpenConnection,
  type RealtimeDialect,
} from '@outdial/minds';
import { chosenModels, socketAddress, type ChosenModel, type ProviderConnections } from './chosen-models.ts';
import type { MindToOpen } from './mind-to-open.ts';
import { watchedConnection } from './watched-models.ts';

export interface RealtimeOptions extends Pick<ProviderConnections, 'openSocket'> {
  readonly clock: Clock;
}

/** Models that are reached over OpenAI's Realtime API. */
export type DialectModel = Exclude<RealtimeModel, { readonly provider: 'google' | 'openai_live' }>;
export type OpenAiLiveModel = Extract<RealtimeModel, { readonly provider: 'openai_live' }>;
export type GoogleModel = Extract<RealtimeModel, { readonly provider: 'google' }>;

export const DIALECTS: Readonly<Record<DialectModel['provider'], RealtimeDialect>> = {
  openai: openAiDialect,
  azure: azureDialect,
  xai: xaiDialect,
};

type RealtimeToOpen = MindToOpen<RealtimeSettings>;

/** The speech-to-speech mind that the settings choose. Throws if none of its models has a credential. */
export function openRealtime({ openSocket, clock }: RealtimeOptions, input: RealtimeToOpen): Mind {
  const { settings, listener } = input;
  const readyLimit = new CallReadyLimit(clock);
  const open = (model: ChosenModel<RealtimeModel>, isLast: boolean): OpenConnection => {
    const { choice, credential, address, scope, use } = model;
    const access = {
      credential,
      baseUrl: socketAddress(address),
      openSocket: openSocket(scope),
      clock,
      ...(isLast ? { readyLimit } : {}),
    };
    return watchedConnection(use, ({ history, listener: heard }) => {
      const conversation = { ...access, history, listener: heard };
      switch (choice.provider) {
        case 'google':
          return openGeminiMind({ ...conversation, settings: geminiSettings(choice, input) });
        case 'openai_live':
          return openOpenAiLiveMind({ ...conversation, settings: openAiLiveSettings(choice, input) });
        case 'openai':
        case 'azure':
        case 'xai': {
          const dialect = DIALECTS[choice.provider];
          return openOpenAiMind({ ...conversation, dialect, settings: openAiSettings(choice, input) });
        }
        default:
          return unreachable(choice);
      }
    });
  };
  const choices = chosenModels<RealtimeModel>('realtime', [settings.model, ...settings.model.fallbacks], input);
  return openReconnectingMind({
    clock,
    listener,
    readyLimit,
    renewAfterMs: RENEW_AFTER_MS[settings.model.provider],
    // It speaks when it chooses to, and says after 4 s that it does not.
    mayStaySilent: (choice) => choices[choice]?.choice.provider === 'openai_live',
    open: choices.map((model, index) => open(model, index === choices.length - 1)),
  });
}

/** OpenAI ends a session after 60 minutes, xAI after 120. Google ends a connection after about 10, and says so before. */
const RENEW_AFTER_MS: Readonly<Record<RealtimeModel['provider'], number>> = {
  openai: 55 * 60_000,
  // It also names the time at which a session ends.
  openai_live: 55 * 60_000,
  azure: 55 * 60_000,
  xai: 115 * 60_000,
  google: 8 * 60_000,
};

export function openAiSettings(
  model: DialectModel,
  { settings, instructions, tools }: Pick<RealtimeToOpen, 'settings' | 'instructions' | 'tools'>,
): OpenAiRealtimeSettings {
  const { transcription, reasoning_effort: reasoningEffort } = model;
  return {
    model: model.model,
    voice: model.voice,
    instructions,
    // The provider takes languages without their region (ISO 639-1).
    transcription: transcription && { ...transcription, language: new Intl.Locale(settings.language).language },
    turnDetection: turnDetectionOf(model, settings),
    ...noiseReductionOf(model),
    maxOutputTokens: model.provider === 'xai' ? null : model.max_output_tokens,
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    tools,
  };
}

function noiseReductionOf(model: DialectModel): Pick<OpenAiRealtimeSettings, 'noiseReduction'> {
  if (model.provider === 'xai' || model.noise_reduction === undefined) return {};
  return { noiseReduction: model.noise_reduction };
}

export function openAiLiveSettings(
  { model, voice, delegation }: OpenAiLiveModel,
  { instructions, tools }: Pick<RealtimeToOpen, 'instructions' | 'tools'>,
): OpenAiLiveSettings {
  const { reasoning_effort: reasoningEffort } = delegation;
  return {
    model,
    voice,
    instructions,
    delegation: {
      model: delegation.model,
      maxOutputTokens: delegation.max_output_tokens,
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    },
    tools,
  };
}

function turnDetectionOf(
  { turn_detection: detection }: DialectModel,
  { endpointing }: RealtimeSettings,
): OpenAiTurnDetection {
  const bySilence = endpointing.mode === 'silence';
  if (detection.type === 'semantic_vad') {
    return bySilence
      ? { type: 'server_vad', silenceMs: endpointing.min_delay_ms }
      : { type: 'semantic_vad', eagerness: detection.eagerness };
  }
  return {
    type: 'server_vad',
    silenceMs: bySilence ? endpointing.min_delay_ms : detection.silence_duration_ms,
    threshold: detection.threshold,
    prefixPaddingMs: detection.prefix_padding_ms,
  };
}

export function geminiSettings(
  model: GoogleModel,
  { settings, instructions, tools }: Pick<RealtimeToOpen, 'settings' | 'instructions' | 'tools'>,
): GeminiLiveSettings {
  const { transcription, turn_detection: detection } = model;
  const bySilence = settings.endpointing.mode === 'silence';
  return {
    model: model.model,
    voice: model.voice,
    instructions,
    transcription: transcription && { ...transcription, language: settings.language },
    turnDetection: {
      startSensitivity: detection.start_sensitivity,
      endSensitivity: detection.end_sensitivity,
      prefixPaddingMs: detection.prefix_padding_ms,
      silenceMs: bySilence ? settings.endpointing.min_delay_ms : detection.silence_duration_ms,
    },
    maxOutputTokens: model.max_output_tokens,
    tools,
  };
}
