import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { faultOf } from '../faults.ts';
import type { RequestEndpoint } from '../http/endpoints.ts';
import { readBody } from '../http/json-body.ts';
import { refuseRequest } from '../http/refusal.ts';
import { openAiAccess, openAiRefusal } from '../openai-realtime/dialects/openai.ts';
import { replyTo, scriptOf } from '../script.ts';
import { answerParts, type AnswerPart } from './answer-parts.ts';
import { AnswerStream, type AnswerDialect, type AnswerEnd, type ChatInput } from './answer-stream.ts';
import { chatRequestSchema, instructionsOf, promptOf, toolProblem, type ChatRequest } from './chat-request.ts';
import { ChatTokens } from './chat-tokens.ts';
import { sendWholeAnswer } from './whole-answer.ts';

/** Chat completions, as a stream or whole: `/v1/chat/completions`. */
export function chatCompletions(input: ChatInput): RequestEndpoint {
  const tokens = new ChatTokens();
  let answers = 0;
  return {
    method: 'POST',
    path: /^(?:\/local)?\/v1\/chat\/completions$/,
    handle({ url, headers, body }, response) {
      const read = readBody(body, chatRequestSchema);
      if (!read.ok) {
        const message = `Invalid value: '${read.path}'. ${read.problem}`;
        return refuseRequest(response, openAiRefusal(400, 'invalid_value', message));
      }
      const request = read.value;
      const refusal = openAiAccess({ url, headers }, request.model);
      if (refusal !== null) return refuseRequest(response, refusal);
      const problem = toolProblem(request.messages);
      if (problem !== null) return refuseRequest(response, openAiRefusal(400, 'invalid_value', problem));
      answers += 1;
      const id = `chatcmpl-${answers}`;
      const fault = faultOf(request.model);
      const reply = fault?.kind === 'empty' ? {} : replyOf(input, request);
      const answer = {
        ...input,
        response,
        fault,
        parts: answerParts(reply, { callId: `call_${id}`, inPieces: true, hasTools: request.tools !== undefined }),
        limit: request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY,
        read: tokens.read([JSON.stringify(request.tools ?? []), ...request.messages.map((one) => JSON.stringify(one))]),
        delayMs: reply.delayMs,
      };
      if (request.stream !== true) return sendWholeAnswer(answer, { id, model: request.model });
      new AnswerStream({ ...answer, dialect: chatDialect(id, request) }).start();
    },
  };
}

function replyOf({ script }: ChatInput, { messages }: ChatRequest) {
  return replyTo(scriptOf(script, instructionsOf(messages)), promptOf(messages));
}

type Delta = ChatCompletionChunk.Choice.Delta;
type FinishReason = ChatCompletionChunk.Choice['finish_reason'];

const FINISH_REASONS = { stop: 'stop', tool: 'tool_calls', length: 'length' } as const satisfies Readonly<
  Record<AnswerEnd['reason'], FinishReason>
>;

function chatDialect(id: string, { model, stream_options: options }: ChatRequest): AnswerDialect {
  const event = (chunk: Pick<ChatCompletionChunk, 'choices' | 'usage'>) => {
    const whole: ChatCompletionChunk = { id, object: 'chat.completion.chunk', created: 1, model, ...chunk };
    return `data: ${JSON.stringify(whole)}\n\n`;
  };
  const choice = (delta: Delta, reason: FinishReason) =>
    event({ choices: [{ index: 0, delta, finish_reason: reason, logprobs: null }] });
  let isFirst = true;
  return {
    provider: 'openai',
    garbage: 'data: {"choices":[{"del\n\n',
    error: `data: ${JSON.stringify({ error: { message: 'The server is overloaded.', type: 'server_error', code: null } })}\n\n`,
    begin: () => '',
    part(part) {
      const role = isFirst && part.kind === 'text' ? ({ role: 'assistant' } as const) : {};
      isFirst = false;
      return choice({ ...role, ...deltaOf(part) }, null);
    },
    end({ reason, usage: { prompt, cached, written }, reportsUsage }) {
      const usage = {
        prompt_tokens: prompt,
        completion_tokens: written,
        total_tokens: prompt + written,
        prompt_tokens_details: { cached_tokens: cached },
      };
      const last = options?.include_usage === true && reportsUsage ? event({ choices: [], usage }) : '';
      return `${choice({}, FINISH_REASONS[reason])}${last}data: [DONE]\n\n`;
    },
  };
}

function deltaOf(part: AnswerPart): Delta {
  if (part.kind === 'text') return { content: part.text };
  if (part.kind === 'arguments') return { tool_calls: [{ index: 0, function: { arguments: part.text } }] };
  const { id, name, argumentsText } = part;
  return { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: argumentsText } }] };
}
