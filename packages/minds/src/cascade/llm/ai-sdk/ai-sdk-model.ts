import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type {
  LanguageModelV3,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { unreachable } from '@outdial/kernel';
import type { ProviderFailure } from '../../../mind.ts';
import type { Generation, LanguageModel, LanguageModelEvent, LanguageModelRequest } from '../language-model.ts';
import { estimatedUsage, tokenUsage } from '../usage.ts';
import { checkModel } from './check-model.ts';
import { promptOf, toolsOf } from './prompt.ts';
import { sdkFailure } from './sdk-failure.ts';
import { leastThinking } from './thinking.ts';

export interface AiSdkSettings {
  readonly provider: 'openai' | 'anthropic' | 'google';
  readonly model: string;
  readonly maxOutputTokens: number;
  readonly temperature?: number;
}

export interface AiSdkInput {
  readonly settings: AiSdkSettings;
  readonly credential: string;
  /** Default: the provider's own, which is not checked before the call. */
  readonly baseUrl?: string;
  /** Guarded, with connections that stay open. */
  readonly fetch: typeof globalThis.fetch;
}

/** Models of OpenAI, Anthropic and Google, over the AI SDK's providers, without its own loop of tools and retries. */
export function aiSdkModel(input: AiSdkInput): LanguageModel {
  const model = modelOf(input);
  const failureOf = (error: unknown, begun: boolean) => sdkFailure(error, { begun, credential: input.credential });
  const { baseUrl, credential, fetch } = input;
  const { provider } = input.settings;
  return {
    ...(baseUrl === undefined
      ? {}
      : { check: (signal) => checkModel({ provider, credential, baseUrl, fetch }, signal) }),
    answer(request, listener) {
      return new SdkAnswer({ model, request, settings: input.settings, failureOf, listener });
    },
  };
}

function modelOf({ settings, credential, baseUrl, fetch }: AiSdkInput): LanguageModelV3 {
  const options = { apiKey: credential, fetch, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) };
  switch (settings.provider) {
    case 'openai':
      return createOpenAI(options).chat(settings.model);
    case 'anthropic':
      return createAnthropic(options)(settings.model);
    case 'google':
      return createGoogleGenerativeAI(options)(settings.model);
    default:
      return unreachable(settings.provider);
  }
}

interface SdkAnswerInput {
  readonly model: LanguageModelV3;
  readonly request: LanguageModelRequest;
  readonly settings: AiSdkSettings;
  readonly failureOf: (error: unknown, begun: boolean) => ProviderFailure;
  readonly listener: (event: LanguageModelEvent) => void;
}

class SdkAnswer implements Generation {
  readonly #input: SdkAnswerInput;
  readonly #abort = new AbortController();
  readonly #calls: Extract<LanguageModelEvent, { kind: 'tool_call' }>[] = [];
  #written = '';
  /** The provider has taken the request, so it is billed. */
  #begun = false;
  #over = false;

  constructor(input: SdkAnswerInput) {
    this.#input = input;
    this.#read().then(
      () => this.#fail(new Error('the answer broke off')),
      (error: unknown) => this.#fail(error),
    );
  }

  cancel(): void {
    if (this.#over) return;
    this.#estimate();
    this.#over = true;
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    const { model, request, settings } = this.#input;
    const thinkingConfig = leastThinking(settings);
    const { stream } = await model.doStream({
      prompt: promptOf(request),
      maxOutputTokens: settings.maxOutputTokens,
      abortSignal: this.#abort.signal,
      ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
      ...(request.tools.length === 0 ? {} : { tools: toolsOf(request) }),
      ...(thinkingConfig === null ? {} : { providerOptions: { google: { thinkingConfig: { ...thinkingConfig } } } }),
    });
    this.#begun = true;
    for await (const part of stream) {
      if (this.#over) return;
      this.#receive(part);
    }
  }

  /** Reasoning, sources and metadata are of no use in a call. */
  #receive(part: LanguageModelV3StreamPart): void {
    if (part.type === 'text-delta') {
      this.#written += part.delta;
      if (part.delta !== '') this.#emit({ kind: 'text', text: part.delta });
    } else if (part.type === 'tool-call') {
      this.#written += part.input;
      const { toolCallId: id, toolName: name, input: argumentsText } = part;
      this.#calls.push({ kind: 'tool_call', id, name, argumentsText });
    } else if (part.type === 'error') {
      this.#fail(part.error);
    } else if (part.type === 'finish' && part.finishReason.unified !== 'error') {
      // A stream that ends without a word of the provider has broken off, however cleanly.
      if (part.finishReason.raw === undefined) this.#fail(new Error('the answer broke off'));
      else this.#finish(part.finishReason.unified, part.usage);
    }
  }

  #finish(reason: LanguageModelV3FinishReason['unified'], usage: LanguageModelV3Usage): void {
    const cut = reason === 'length' || reason === 'content-filter';
    // The arguments of a call that was cut are not complete.
    if (!cut) for (const call of this.#calls) this.#emit(call);
    this.#report(usage);
    this.#over = true;
    this.#emit({ kind: 'over', outcome: cut ? 'incomplete' : 'completed' });
  }

  #report({ inputTokens, outputTokens }: LanguageModelV3Usage): void {
    if (inputTokens.total === undefined || outputTokens.total === undefined) return this.#estimate();
    const { provider, model } = this.#input.settings;
    const tokens = {
      input: inputTokens.total,
      cachedInput: inputTokens.cacheRead ?? 0,
      output: outputTokens.total,
    };
    this.#emit({ kind: 'usage', entries: tokenUsage({ provider, model }, tokens) });
  }

  #estimate(): void {
    const { request, settings } = this.#input;
    const { provider, model } = settings;
    this.#emit({ kind: 'usage', entries: estimatedUsage({ provider, model }, request, this.#written) });
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    if (this.#begun) this.#estimate();
    this.#over = true;
    this.#input.listener({ kind: 'failed', failure: this.#input.failureOf(error, this.#begun) });
  }

  #emit(event: LanguageModelEvent): void {
    this.#input.listener(event);
  }
}
