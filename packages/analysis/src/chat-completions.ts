import { unreachable, withoutProviderKey } from '@outdial/kernel';
import { EgressError, type EgressClient, type EgressResponse } from '@outdial/egress';
import { z } from 'zod';
import { TextModelError, type OpenTextModel, type TextAnswer, type TextModel, type TextRequest } from './text-model.ts';

const OPENAI_URL = 'https://api.openai.com/v1';
const TIMEOUT_MS = 60_000;
const MAX_RESPONSE_BYTES = 1024 * 1024;
const MAX_DETAIL_LENGTH = 300;

/** Of a response of `POST /chat/completions` (OpenAI API reference, "The chat completion object"): what is read. */
const completionSchema = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }) }))
    .min(1),
  usage: z
    .object({
      prompt_tokens: z.int().min(0),
      completion_tokens: z.int().min(0),
      prompt_tokens_details: z.object({ cached_tokens: z.int().min(0).nullish() }).nullish(),
    })
    .nullish(),
});

const errorSchema = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

/** Models behind OpenAI's chat completions: OpenAI itself, and every server that speaks its protocol. */
export function createChatCompletions(egress: Pick<EgressClient, 'request'>): OpenTextModel {
  return (choice, credential, isOwn) => {
    const isOpenAi = choice.provider === 'openai';
    if (!isOpenAi && choice.provider !== 'openai_compatible' && choice.provider !== 'local') return null;
    const baseUrl = credential.baseUrl ?? (isOpenAi ? OPENAI_URL : null);
    if (baseUrl === null) return null;
    const limit = isOpenAi ? 'max_completion_tokens' : 'max_tokens';
    const shared = {
      model: choice.model,
      [limit]: choice.max_output_tokens,
      ...(choice.temperature === undefined ? {} : { temperature: choice.temperature }),
    };
    const send = (body: object, signal: AbortSignal) =>
      egress.request({
        // Only the operator's models may be in the operator's network.
        scope: isOwn ? 'internet' : 'allow_list',
        method: 'POST',
        url: `${baseUrl.replace(/\/+$/, '')}/chat/completions`,
        headers: { authorization: `Bearer ${credential.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
        signal,
      });
    return {
      async complete(request) {
        const body = { ...shared, messages: request.messages, ...formatOf(request) };
        const response = await send(body, request.signal).catch(rethrow);
        if (response.status !== 200) throw failureOf(response, request, credential.apiKey);
        return readAnswer(response);
      },
    } satisfies TextModel;
  };
}

function formatOf({ mode, schema }: TextRequest): object {
  switch (mode) {
    case 'json_schema':
      return { response_format: { type: 'json_schema', json_schema: { name: 'analysis', strict: true, schema } } };
    case 'json_object':
      return { response_format: { type: 'json_object' } };
    case 'text':
      return {};
    default:
      return unreachable(mode);
  }
}

function readAnswer({ body, truncated }: EgressResponse): TextAnswer {
  const read = truncated ? undefined : completionSchema.safeParse(parseJson(body)).data;
  const message = read?.choices[0]?.message;
  if (read === undefined || message === undefined) {
    throw new TextModelError('unavailable', 'the response is not a chat completion');
  }
  const { prompt_tokens = 0, completion_tokens = 0, prompt_tokens_details } = read.usage ?? {};
  const cached = Math.min(prompt_tokens_details?.cached_tokens ?? 0, prompt_tokens);
  return {
    text: message.content ?? message.refusal ?? '',
    usage: { inputTokens: prompt_tokens - cached, cachedInputTokens: cached, outputTokens: completion_tokens },
  };
}

/** A 400 says that the request is wrong; where a mode was asked for, most likely that this server does not know it. */
function failureOf({ status, body }: EgressResponse, { mode }: TextRequest, apiKey: string): TextModelError {
  const message = `the provider answered ${status}${detailOf(body, apiKey)}`;
  if (status === 408 || status === 409 || status === 429 || status >= 500) {
    return new TextModelError('unavailable', message);
  }
  const isAboutContent = status === 400 || status === 422;
  return new TextModelError(isAboutContent && mode !== 'text' ? 'mode_unsupported' : 'rejected', message);
}

function detailOf(body: Buffer, apiKey: string): string {
  const error = errorSchema.safeParse(parseJson(body)).data?.error;
  if (error === undefined) return '';
  const text = withoutProviderKey(typeof error === 'string' ? error : error.message, apiKey);
  return `: ${text.slice(0, MAX_DETAIL_LENGTH)}`;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function rethrow(error: unknown): never {
  const isFinal =
    error instanceof EgressError && (error.code === 'url_not_allowed' || error.code === 'address_not_allowed');
  const reason = error instanceof EgressError ? error.message : 'the request failed';
  throw new TextModelError(isFinal ? 'rejected' : 'unavailable', reason, { cause: error });
}
