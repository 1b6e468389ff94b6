import type { CascadeSettings, LlmChoice, SttChoice, TtsChoice } from '@outdial/contracts';
import { unreachable, type Clock } from '@outdial/kernel';
import {
  aiSdkModel,
  CallReadyLimit,
  openAiCompatibleModel,
  openCascadeMind,
  type LanguageModel,
  type Mind,
  type SharedChecks,
} from '@outdial/minds';
import { earsOf, voiceOf } from './cascade-speech.ts';
import { chosenModels, type ChosenModel, type ProviderConnections } from './chosen-models.ts';
import type { Generations } from './generations.ts';
import { limitedVoice } from './limited-voice.ts';
import type { MindToOpen } from './mind-to-open.ts';
import { watchedEars, watchedLanguageModel, watchedVoice } from './watched-models.ts';

export interface CascadesOptions extends ProviderConnections {
  readonly clock: Clock;
  /** Of the language models of all calls. */
  readonly checks: SharedChecks;
  readonly generations: Generations;
}

/** The mind of three models that the settings choose. Throws if one of them has no credential. */
export function openCascade(options: CascadesOptions, input: MindToOpen<CascadeSettings>): Mind {
  const { settings, instructions, tools, listener } = input;
  const { stt, llm, tts } = settings;
  const { clock, checks, generations } = options;
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
      const voice = watchedVoice(model.use, clock, voiceOf(options, model, settings, limit));
      return limitedVoice({ generations, limit: model.generations, hasNext: !isLast }, voice);
    }),
    clock,
    readyLimit,
    listener,
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
