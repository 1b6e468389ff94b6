import { systemClock, type Clock, type Timer } from '@outdial/kernel';
import { providerFailure, type FailureDetails } from '../../../failure.ts';
import type { ProviderFailureKind } from '../../../mind.ts';
import { kindOfError, messageOf, refusalOf } from '../http-failure.ts';
import type { Generation, LanguageModel, LanguageModelEvent, LanguageModelRequest } from '../language-model.ts';
import { readRest } from '../read-rest.ts';
import { ChatAnswer } from './chat-answer.ts';
import { EventStream } from './event-stream.ts';
import { chatMessages, chatTools } from './wire.ts';

export interface OpenAiCompatibleSettings {
  /** As it stands in the usage: `openai`, `ollama`, `vllm`. */
  readonly provider: string;
  readonly model: string;
  readonly maxOutputTokens: number;
  /** Newer models of OpenAI take `max_completion_tokens` alone; other servers know `max_tokens`. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  readonly temperature?: number;
  /** Such as `minimal`: a model that thinks for seconds is of no use in a call. */
  readonly reasoningEffort?: string;
}

export interface OpenAiCompatibleInput {
  readonly settings: OpenAiCompatibleSettings;
  /** Empty for a server that asks for none. */
  readonly credential: string;
  /** With its version, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Guarded, with connections that stay open. */
  readonly fetch: typeof globalThis.fetch;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** From the end of an answer to the end of its stream; a server that takes longer loses the connection. */
const MAX_REST_MS = 1_000;

/** Chat completions as a stream, as OpenAI, Ollama, vLLM and others serve them. */
export function openAiCompatibleModel(input: OpenAiCompatibleInput): LanguageModel {
  const { settings, credential, baseUrl, clock = systemClock } = input;
  const headers = {
    'content-type': 'application/json',
    ...(credential === '' ? {} : { authorization: `Bearer ${credential}` }),
  };
  const failure = (kind: ProviderFailureKind, message: string, details: FailureDetails = {}) =>
    providerFailure({ component: 'llm', kind, message, credential, ...details });

  const refusal = (response: Response) => refusalOf(response, { component: 'llm', credential });

  async function read(request: LanguageModelRequest, answer: ChatAnswer, abort: AbortController): Promise<void> {
    const response = await input.fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers,
      signal: abort.signal,
      redirect: 'error',
      body: JSON.stringify(bodyOf(settings, request)),
    });
    if (!response.ok || response.body === null) return answer.fail(await refusal(response));
    answer.accepted();
    await readAnswer(response.body, answer, abort);
    answer.ended();
  }

  /** Also what follows the answer, so that the connection serves the next one: leaving the loop would close it. */
  async function readAnswer(body: ReadableStream<Uint8Array>, answer: ChatAnswer, abort: AbortController) {
    const events = new EventStream();
    let late: Timer | undefined;
    try {
      for await (const bytes of body) {
        if (!answer.over) for (const data of events.add(bytes)) answer.receive(data);
        if (events.isTooLong) answer.fail(failure('invalid_response', 'an event is too long'));
        if (answer.over && !answer.complete) return;
        if (answer.complete) late ??= clock.after(MAX_REST_MS, () => abort.abort());
      }
    } finally {
      late?.cancel();
    }
  }

  return {
    async check(signal) {
      try {
        const response = await input.fetch(`${baseUrl}/models`, { headers, signal, redirect: 'error' });
        if (response.ok || response.status === 404) {
          await readRest(response.body);
          return null;
        }
        return await refusal(response);
      } catch (error) {
        return failure(kindOfError(error), messageOf(error));
      }
    },
    answer(request, listener: (event: LanguageModelEvent) => void): Generation {
      const abort = new AbortController();
      const answer = new ChatAnswer({ settings, request, failure, listener });
      read(request, answer, abort).catch((error: unknown) => {
        // Until its status nothing was accepted; after it the connection was lost.
        answer.fail(failure(answer.begun ? 'dropped' : kindOfError(error), messageOf(error)));
      });
      return {
        cancel() {
          answer.cancel();
          abort.abort();
        },
      };
    },
  };
}

function bodyOf(settings: OpenAiCompatibleSettings, request: LanguageModelRequest): Readonly<Record<string, unknown>> {
  const { model, maxOutputTokens, maxTokensField = 'max_tokens', temperature, reasoningEffort } = settings;
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: chatMessages(request),
    ...chatTools(request),
    [maxTokensField]: maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
  };
}
