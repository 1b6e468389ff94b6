import type { CascadeSettings, LlmChoice, SttChoice, TtsChoice } from '@outdial/contracts';
import { unreachable, type Clock } from '@outdial/kernel';
import {
  aiSdkModel,
  CallReadyLimit,
  cartesia,
  deepgramFlux,
  deepgramNova,
  deepgramSpeech,
  elevenLabs,
  localEars,
  localVoice,
  openAiCompatibleModel,
  openCascadeMind,
  type LanguageModel,
  type LocalAccess,
  type Mind,
  type OpenSpeechToText,
  type OpenTextToSpeech,
  type ProviderAccess,
  type SharedChecks,
} from '@outdial/minds';
import { chosenModels, socketAddress, type ChosenModel, type ProviderConnections } from './chosen-models.ts';
import { fluxTimeoutMs } from './flux-timeout.ts';
import type { MindToOpen } from './mind-to-open.ts';
import { watchedEars, watchedLanguageModel, watchedVoice } from './watched-models.ts';

export interface CascadesOptions extends ProviderConnections {
  readonly clock: Clock;
  /** Of the language models of all calls. */
  readonly checks: SharedChecks;
}

/** The mind of three models that the settings choose. Throws if one of them has no credential. */
export function openCascade(options: CascadesOptions, input: MindToOpen<CascadeSettings>): Mind {
  const { settings, instructions, tools, listener } = input;
  const { stt, llm, tts } = settings;
  const { clock, checks } = options;
  // The ears connect after the answer, so their time is none of ringing.
  const readyLimit = new CallReadyLimit(clock);
  const voices = chosenModels<TtsChoice>('tts', [tts, ...tts.fallbacks], input);
  return openCascadeMind({
    instructions,
    tools,
    stt: chosenModels<SttChoice>('stt', [stt, ...stt.fallbacks], input).map((model) =>
      watchedEars(model.use, clock, earsOf(options, model, settings)),
    ),
    llm: chosenModels<LlmChoice>('llm', [llm, ...llm.fallbacks], input).map((model) =>
      watchedLanguageModel(model.use, clock, checks.share(model, languageModelOf(options, model))),
    ),
    tts: voices.map((model, index) => {
      const isLast = index === voices.length - 1;
      const limit = isLast ? { readyLimit } : {};
      return watchedVoice(model.use, clock, voiceOf(options, model, settings, limit));
    }),
    clock,
    readyLimit,
    listener,
  });
}

function accessOf({ openSocket, clock }: CascadesOptions, model: ChosenModel<unknown>): ProviderAccess {
  const { credential, address, scope } = model;
  return { credential, baseUrl: socketAddress(address), openSocket: openSocket(scope), clock };
}

function localAccessOf({ fetch, clock }: CascadesOptions, model: ChosenModel<unknown>): LocalAccess {
  const { credential, address, scope } = model;
  return { credential, baseUrl: address, fetch: fetch(scope), clock };
}

function earsOf(
  connections: CascadesOptions,
  chosen: ChosenModel<SttChoice>,
  settings: CascadeSettings,
): OpenSpeechToText {
  const { choice } = chosen;
  switch (choice.provider) {
    case 'deepgram':
      return deepgramEarsOf(choice, accessOf(connections, chosen), settings);
    case 'local': {
      const { model, keywords, options } = choice;
      return localEars(localAccessOf(connections, chosen), {
        model,
        keywords,
        language: baseLanguage(settings.language),
        silenceMs: options.endpointing_ms ?? settings.endpointing.min_delay_ms,
        eagerSilenceMs: options.eager_endpointing_ms ?? null,
      });
    }
    default:
      return unreachable(choice);
  }
}

function deepgramEarsOf(
  { model, keywords, options }: Extract<SttChoice, { provider: 'deepgram' }>,
  access: ProviderAccess,
  { language, endpointing }: CascadeSettings,
): OpenSpeechToText {
  if (!model.startsWith('flux')) {
    const endpointingMs = endpointing.mode === 'silence' ? undefined : options.endpointing_ms;
    return deepgramNova(access, {
      model,
      language,
      keywords,
      endpointingMs: endpointingMs ?? endpointing.min_delay_ms,
    });
  }
  return deepgramFlux(access, {
    model,
    keywords,
    eagerEotThreshold: options.eager_eot_threshold ?? null,
    ...(options.eot_threshold === undefined ? {} : { eotThreshold: options.eot_threshold }),
    eotTimeoutMs: fluxTimeoutMs(endpointing, options),
    // A model of one language takes no hints.
    ...(model.includes('multi') ? { languages: [baseLanguage(language)] } : {}),
  });
}

export function languageModelOf(
  { fetch }: Pick<CascadesOptions, 'fetch'>,
  { choice, credential, address, scope }: ChosenModel<LlmChoice>,
): LanguageModel {
  const { provider, model, max_output_tokens: maxOutputTokens, temperature } = choice;
  const settings = { model, maxOutputTokens, ...(temperature === undefined ? {} : { temperature }) };
  const access = { credential, baseUrl: address, fetch: fetch(scope) };
  switch (provider) {
    case 'openai':
      return openAiCompatibleModel({
        settings: { provider, maxTokensField: 'max_completion_tokens', ...settings },
        ...access,
      });
    case 'openai_compatible':
    case 'local':
      return openAiCompatibleModel({ settings: { provider, ...settings }, ...access });
    case 'anthropic':
    case 'google':
      return aiSdkModel({ settings: { provider, ...settings }, ...access });
    default:
      return unreachable(provider);
  }
}

function voiceOf(
  connections: CascadesOptions,
  chosen: ChosenModel<TtsChoice>,
  { language }: CascadeSettings,
  limit: Pick<ProviderAccess, 'readyLimit'>,
): OpenTextToSpeech {
  const { choice } = chosen;
  const access = { ...accessOf(connections, chosen), ...limit };
  switch (choice.provider) {
    case 'elevenlabs': {
      const { model, voice, speed, options } = choice;
      return elevenLabs(access, {
        model,
        voice,
        // Other models find the language in the text, and refuse this setting.
        ...(model.endsWith('_v2_5') ? { language: baseLanguage(language) } : {}),
        ...(speed === undefined ? {} : { speed }),
        ...(options.stability === undefined ? {} : { stability: options.stability }),
        ...(options.similarity_boost === undefined ? {} : { similarityBoost: options.similarity_boost }),
      });
    }
    case 'cartesia': {
      const { model, voice, speed } = choice;
      const spoken = { language: baseLanguage(language), ...(speed === undefined ? {} : { speed }) };
      return cartesia(access, { model, voice, ...spoken });
    }
    case 'deepgram': {
      const { model, voice, speed } = choice;
      return deepgramSpeech(access, { model, voice, ...(speed === undefined ? {} : { speed }) });
    }
    case 'local': {
      const { model, voice, speed, options } = choice;
      return localVoice(
        { ...localAccessOf(connections, chosen), ...limit },
        {
          model,
          voice,
          format: options.format,
          ...(speed === undefined ? {} : { speed }),
          ...(options.sample_rate === undefined ? {} : { sampleRate: options.sample_rate }),
        },
      );
    }
    default:
      return unreachable(choice);
  }
}

/** Providers take languages without their region (ISO 639-1). */
function baseLanguage(language: string): string {
  return new Intl.Locale(language).language;
}
