import { answerParts, type AnswerPart } from '../chat/answer-parts.ts';
import { AnswerStream, type AnswerDialect, type ChatInput } from '../chat/answer-stream.ts';
import { chatTokens } from '../chat/chat-tokens.ts';
import { faultOf } from '../faults.ts';
import type { RequestEndpoint } from '../http/endpoints.ts';
import { readBody } from '../http/json-body.ts';
import { refuseRequest } from '../http/refusal.ts';
import { replyTo } from '../script.ts';
import { anthropicAccess, anthropicRefusal } from './access.ts';
import { messagesRequestSchema, orderProblem, promptOf, type MessagesRequest } from './messages-request.ts';

/** Anthropic's Messages as a stream: `/v1/messages`. */
export function anthropicMessages(input: ChatInput): RequestEndpoint {
  let answers = 0;
  return {
    method: 'POST',
    path: /^\/v1\/messages$/,
    handle({ url, headers, body }, response) {
      const read = readBody(body, messagesRequestSchema);
      const refusal = anthropicAccess({ url, headers }, read.ok ? read.value.model : null);
      if (refusal !== null) return refuseRequest(response, refusal);
      if (!read.ok) return refuseRequest(response, anthropicRefusal(400, `${read.path}: ${read.problem}`));
      const request = read.value;
      const fault = faultOf(request.model);
      if (fault === null && !request.model.startsWith('claude-')) {
        return refuseRequest(response, anthropicRefusal(404, `model: ${request.model}`));
      }
      const problem = orderProblem(request.messages);
      if (problem !== null) return refuseRequest(response, anthropicRefusal(400, problem));
      answers += 1;
      const reply = fault?.kind === 'empty' ? {} : replyTo(input.script, promptOf(request.messages));
      const prompt = tokensOf(request);
      new AnswerStream({
        ...input,
        dialect: messagesDialect(`msg_${answers}`, request.model, prompt),
        response,
        fault,
        parts: answerParts(reply, {
          callId: `toolu_${answers}`,
          inPieces: true,
          hasTools: request.tools !== undefined,
        }),
        limit: request.max_tokens,
        read: { prompt, cached: 0 },
        delayMs: reply.delayMs,
      }).start();
    },
  };
}

const tokensOf = ({ tools = [], system = '', messages }: MessagesRequest): number =>
  [tools, system, ...messages].reduce((sum, part) => sum + chatTokens(JSON.stringify(part)), 0);

const STOP_REASONS = { stop: 'end_turn', tool: 'tool_use', length: 'max_tokens' } as const;

const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

/** Source: https://docs.claude.com/en/docs/build-with-claude/streaming */
function messagesDialect(id: string, model: string, prompt: number): AnswerDialect {
  const cache = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  /** Of the open block. */
  let index = -1;
  let open: 'text' | 'tool' | null = null;
  const close = () => (open === null ? '' : event('content_block_stop', { index }));

  function block(kind: 'text' | 'tool', content: object): string {
    const before = close();
    index += 1;
    open = kind;
    return `${before}${event('content_block_start', { index, content_block: content })}`;
  }

  return {
    provider: 'anthropic',
    garbage: 'event: content_block_delta\ndata: {"type":"content_block_del\n\n',
    error: event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
    begin() {
      const usage = { input_tokens: prompt, ...cache, output_tokens: 1 };
      const empty = { content: [], stop_reason: null, stop_sequence: null };
      const message = { id, type: 'message', role: 'assistant', model, ...empty, usage };
      return `${event('message_start', { message })}${event('ping', {})}`;
    },
    part(part: AnswerPart) {
      if (part.kind === 'tool') {
        return block('tool', { type: 'tool_use', id: part.id, name: part.name, input: {} });
      }
      const begun = part.kind === 'text' && open !== 'text' ? block('text', { type: 'text', text: '' }) : '';
      const delta =
        part.kind === 'text'
          ? { type: 'text_delta', text: part.text }
          : { type: 'input_json_delta', partial_json: part.text };
      return `${begun}${event('content_block_delta', { index, delta })}`;
    },
    end({ reason, usage: { written } }) {
      const delta = { stop_reason: STOP_REASONS[reason], stop_sequence: null };
      const last = event('message_delta', { delta, usage: { output_tokens: written } });
      return `${close()}${last}${event('message_stop', {})}`;
    },
  };
}
