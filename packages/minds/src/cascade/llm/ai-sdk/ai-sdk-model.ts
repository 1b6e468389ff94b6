import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import {
  APICallError,
  type LanguageModelV3,
  type LanguageModelV3StreamPart,
  type LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { unreachable } from '@outdial/kernel';
import { z } from 'zod';
import { codeBlamesRequest, providerFailure } from '../../../failure.ts';
import type { ProviderFailure } from '../../../mind.ts';
import { kindOfError, kindOfStatus } from '../http-failure.ts';
import type { Generation, LanguageModel, LanguageModelEvent, LanguageModelRequest } from '../language-model.ts';
import { estimatedUsage, tokenUsage } from '../usage.ts';
import { checkModel } from './check-model.ts';
import { promptOf, toolsOf } from './prompt.ts';

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
  const failureOf = (error: unknown, begun: boolean): ProviderFailure => {
    const status = APICallError.isInstance(error) ? (error.statusCode ?? 0) : 0;
    // An answer that breaks off has the status of its begin.
    const kind = status >= 400 ? kindOfStatus(status) : begun ? 'dropped' : kindOfError(error);
    const message = error instanceof Error ? error.message : 'the answer failed';
    const retryAfter = APICallError.isInstance(error) ? (error.responseHeaders?.['retry-after'] ?? null) : null;
    const details = { retryAfter, blamesRequest: begun && eventBlamesRequest(error) };
    return providerFailure({ component: 'llm', kind, message, credential: input.credential, ...details });
  };
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

const errorEvent = z.object({ type: z.string().nullish(), code: z.union([z.string(), z.number()]).nullish() });

/** An error that the provider sent in its stream, as it sent it. A lost connection is an `Error`. */
function eventBlamesRequest(error: unknown): boolean {
  const event = errorEvent.safeParse(error).data;
  return (
    !(error instanceof Error) && event !== undefined && codeBlamesRequest(`${event.code ?? ''} ${event.type ?? ''}`)
  );
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
  #written = '';
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
    const { stream } = await model.doStream({
      prompt: promptOf(request),
      maxOutputTokens: settings.maxOutputTokens,
      abortSignal: this.#abort.signal,
      ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
      ...(request.tools.length === 0 ? {} : { tools: toolsOf(request) }),
    });
    for await (const part of stream) {
      if (this.#over) return;
      this.#receive(part);
    }
  }

  /** Reasoning, sources and metadata are of no use in a call. */
  #receive(part: LanguageModelV3StreamPart): void {
    if (part.type === 'text-delta') {
      this.#begun = true;
      this.#written += part.delta;
      if (part.delta !== '') this.#emit({ kind: 'text', text: part.delta });
    } else if (part.type === 'tool-call') {
      this.#begun = true;
      this.#written += part.input;
      this.#emit({ kind: 'tool_call', id: part.toolCallId, name: part.toolName, argumentsText: part.input });
    } else if (part.type === 'error') {
      this.#fail(part.error);
    } else if (part.type === 'finish' && part.finishReason.unified !== 'error') {
      this.#report(part.usage);
      this.#over = true;
      const cut = part.finishReason.unified === 'length' || part.finishReason.unified === 'content-filter';
      this.#emit({ kind: 'over', outcome: cut ? 'incomplete' : 'completed' });
    }
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
