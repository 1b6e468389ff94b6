import type { ServerResponse } from 'node:http';
import type { Clock } from '@outdial/kernel';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { faultOf, type Fault } from '../faults.ts';
import { Alarms } from '../http/alarms.ts';
import type { RequestEndpoint } from '../http/endpoints.ts';
import { refuseRequest } from '../http/refusal.ts';
import type { ProviderLedger } from '../ledger.ts';
import { openAiAccess, openAiRefusal } from '../openai-realtime/server.ts';
import { replyTo, type Reply, type Script } from '../script.ts';
import { chatRequestSchema, promptOf, toolProblem, type ChatRequest } from './chat-request.ts';
import { ChatTokens, chatTokens } from './chat-tokens.ts';

export interface ChatTimings {
  readonly firstTokenMs: number;
  /** Between two tokens. */
  readonly tokenMs: number;
}

export interface ChatInput {
  readonly clock: Clock;
  readonly script: Script;
  readonly timings: ChatTimings;
  readonly ledger: ProviderLedger;
}

const SLOW_FIRST_TOKEN_MS = 10_000;
/** Of a tool's arguments that arrive at once. */
const ARGUMENTS_LENGTH = 12;
const OPENAI_MODELS = ['gpt-simulated', 'gpt-4.1-mini'];

/** Chat completions as a stream: `/v1/chat/completions`. */
export function chatCompletions(input: ChatInput): RequestEndpoint {
  const tokens = new ChatTokens();
  let answers = 0;
  return {
    method: 'POST',
    path: /^\/v1\/chat\/completions$/,
    handle({ url, headers, body }, response) {
      let value: unknown;
      try {
        value = JSON.parse(body);
      } catch {
        return refuseRequest(response, openAiRefusal(400, 'invalid_json', 'The body is not JSON.'));
      }
      const request = chatRequestSchema.safeParse(value);
      if (!request.success) {
        const [issue] = request.error.issues;
        const message = `Invalid value: '${issue?.path.join('.') ?? ''}'. ${issue?.message ?? ''}`;
        return refuseRequest(response, openAiRefusal(400, 'invalid_value', message));
      }
      const refusal = openAiAccess({ url, headers }, request.data.model);
      if (refusal !== null) return refuseRequest(response, refusal);
      const problem = toolProblem(request.data.messages);
      if (problem !== null) return refuseRequest(response, openAiRefusal(400, 'invalid_value', problem));
      answers += 1;
      new ChatStream({ ...input, id: `chatcmpl-${answers}`, request: request.data, tokens, response }).start();
    },
  };
}

/** The models of an OpenAI account: `/v1/models`. */
export function chatModels(): RequestEndpoint {
  return {
    method: 'GET',
    path: /^\/v1\/models$/,
    handle(address, response) {
      const refusal = openAiAccess(address, null);
      if (refusal !== null) return refuseRequest(response, refusal);
      const data = OPENAI_MODELS.map((id) => ({ id, object: 'model', created: 0, owned_by: 'simulated' }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
    },
  };
}

interface ChatStreamInput extends ChatInput {
  readonly id: string;
  readonly request: ChatRequest;
  readonly tokens: ChatTokens;
  readonly response: ServerResponse;
}

type Delta = ChatCompletionChunk.Choice.Delta;
type FinishReason = ChatCompletionChunk.Choice['finish_reason'];

/** One answer, delta by delta. */
class ChatStream {
  readonly #input: ChatStreamInput;
  readonly #alarms: Alarms;
  readonly #fault: Fault | null;
  readonly #deltas: readonly Delta[];
  readonly #firstTokenMs: number;
  readonly #usage: { readonly prompt: number; readonly cached: number };
  readonly #finishReason: FinishReason;
  #sent = 0;
  /** What the model wrote of its answer. */
  #written = '';
  #billed = false;

  constructor(input: ChatStreamInput) {
    this.#input = input;
    this.#alarms = new Alarms(input.clock);
    const { request, script, tokens, timings } = input;
    this.#fault = faultOf(request.model);
    const reply: Reply = this.#fault?.kind === 'empty' ? {} : replyTo(script, promptOf(request.messages));
    const tool = request.tools === undefined ? undefined : reply.tool;
    const limit = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY;
    const deltas = deltasOf(input.id, { ...reply, ...(tool === undefined ? { tool: undefined } : {}) });
    this.#deltas = deltas.slice(0, limit);
    this.#finishReason = deltas.length > limit ? 'length' : tool === undefined ? 'stop' : 'tool_calls';
    this.#usage = tokens.read(request);
    this.#firstTokenMs =
      this.#fault?.kind === 'slow-tokens' ? SLOW_FIRST_TOKEN_MS : (reply.delayMs ?? timings.firstTokenMs);
  }

  start(): void {
    const { response } = this.#input;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
    response.on('close', () => {
      this.#alarms.stop();
      // A client that goes away pays for what was made until then.
      this.#bill();
    });
    if (this.#fault?.kind === 'stall') return;
    this.#alarms.after(this.#firstTokenMs, () => this.#next());
  }

  #next(): void {
    const { response, timings } = this.#input;
    const delta = this.#deltas[this.#sent];
    if (this.#fault?.kind === 'drop' && this.#sent >= this.#fault.afterDeltas) {
      // What was written before is on its way by then.
      return void response.write(': the end\n\n', () => response.destroy());
    }
    if (delta === undefined) return this.#end();
    this.#sent += 1;
    this.#written += textOf(delta);
    if (this.#fault?.kind === 'garbage-json') response.write('data: {"choices":[{"del\n\n');
    else this.#write({ delta, finish_reason: null });
    if (this.#fault?.kind === 'close-1000') return void response.end();
    if (timings.tokenMs === 0) return this.#next();
    this.#alarms.after(timings.tokenMs, () => this.#next());
  }

  #end(): void {
    const { response, request } = this.#input;
    this.#write({ delta: {}, finish_reason: this.#finishReason });
    this.#bill();
    if (request.stream_options?.include_usage === true && this.#fault?.kind !== 'no-usage') {
      const { prompt, cached } = this.#usage;
      const written = chatTokens(this.#written);
      this.#event({
        ...this.#chunk(),
        choices: [],
        usage: {
          prompt_tokens: prompt,
          completion_tokens: written,
          total_tokens: prompt + written,
          prompt_tokens_details: { cached_tokens: cached },
        },
      });
    }
    response.end('data: [DONE]\n\n');
  }

  #write({ delta, finish_reason: reason }: { readonly delta: Delta; readonly finish_reason: FinishReason }): void {
    this.#event({ ...this.#chunk(), choices: [{ index: 0, delta, finish_reason: reason, logprobs: null }] });
  }

  #chunk(): Omit<ChatCompletionChunk, 'choices'> {
    return { id: this.#input.id, object: 'chat.completion.chunk', created: 1, model: this.#input.request.model };
  }

  #event(chunk: ChatCompletionChunk): void {
    const bytes = Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
    const { response } = this.#input;
    if (this.#fault?.kind !== 'half-utf8') return void response.write(bytes);
    const inside = bytes.findIndex((byte) => byte >= 0xc0) + 1;
    // Two writes may still arrive as one; the second half waits for the next turn of the event loop.
    response.write(bytes.subarray(0, inside));
    response.write(bytes.subarray(inside));
  }

  #bill(): void {
    if (this.#billed) return;
    this.#billed = true;
    const { prompt, cached } = this.#usage;
    const payer = { component: 'llm', provider: 'openai' } as const;
    const { ledger } = this.#input;
    ledger.add({ ...payer, unit: 'input_text_token', quantity: prompt - cached });
    ledger.add({ ...payer, unit: 'cached_input_text_token', quantity: cached });
    ledger.add({ ...payer, unit: 'output_text_token', quantity: chatTokens(this.#written) });
  }
}

const textOf = ({ content, tool_calls: calls = [] }: Delta): string =>
  [content ?? '', ...calls.map((call) => `${call.function?.name ?? ''}${call.function?.arguments ?? ''}`)].join('');

/** A delta a word, and one for each piece of a tool's arguments. */
function deltasOf(
  id: string,
  { say, tool }: { readonly say?: string | undefined; readonly tool?: Reply['tool'] | undefined },
): readonly Delta[] {
  const words = (say?.match(/\S+\s*/g) ?? []).map((content, index): Delta =>
    index === 0 ? { role: 'assistant', content } : { content },
  );
  if (tool === undefined) return words;
  const pieces = JSON.stringify(tool.arguments).match(new RegExp(`.{1,${ARGUMENTS_LENGTH}}`, 'gs')) ?? [];
  return [
    ...words,
    {
      tool_calls: [{ index: 0, id: `call_${id}`, type: 'function', function: { name: tool.name, arguments: '' } }],
    },
    ...pieces.map((piece): Delta => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ];
}
