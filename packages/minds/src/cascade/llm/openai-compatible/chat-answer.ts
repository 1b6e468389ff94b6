import { codeBlamesRequest, type FailureDetails } from '../../../failure.ts';
import type { ProviderFailure, ProviderFailureKind } from '../../../mind.ts';
import { issueOf } from '../../parse-message.ts';
import type { LanguageModelEvent, LanguageModelRequest } from '../language-model.ts';
import { estimatedUsage, tokenUsage } from '../usage.ts';
import { chunkSchema, type ChatChunk, type ChatUsage } from './wire.ts';

interface ToolCall {
  id: string;
  name: string;
  argumentsText: string;
}

export interface ChatAnswerInput {
  readonly settings: { readonly provider: string; readonly model: string };
  readonly request: LanguageModelRequest;
  readonly failure: (kind: ProviderFailureKind, message: string, details?: FailureDetails) => ProviderFailure;
  readonly listener: (event: LanguageModelEvent) => void;
}

/** One answer, put together from its chunks. */
export class ChatAnswer {
  readonly #input: ChatAnswerInput;
  readonly #calls = new Map<number, ToolCall>();
  #written = '';
  #finishReason: string | null = null;
  #usage: ChatUsage | null = null;
  #over = false;
  #complete = false;
  #begun = false;

  constructor(input: ChatAnswerInput) {
    this.#input = input;
  }

  get over(): boolean {
    return this.#over;
  }

  /** It is over, and did not fail. */
  get complete(): boolean {
    return this.#complete;
  }

  /** The provider has taken the request, so it is billed. */
  accepted(): void {
    this.#begun = true;
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** The data of one event. */
  receive(data: string): void {
    if (this.#over) return;
    if (data === '[DONE]') return this.ended();
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return this.fail(this.#input.failure('invalid_response', 'a chunk was not JSON'));
    }
    const chunk = chunkSchema.safeParse(value);
    if (chunk.success) return this.#read(chunk.data);
    return this.fail(this.#input.failure('invalid_response', `a chunk was invalid: ${issueOf(chunk.error)}`));
  }

  /** The stream has ended. */
  ended(): void {
    if (this.#over) return;
    if (this.#finishReason === null) return this.fail(this.#input.failure('dropped', 'the answer broke off'));
    const cut = this.#finishReason === 'length' || this.#finishReason === 'content_filter';
    if (!cut) {
      for (const [index, { id, name, argumentsText }] of this.#calls) {
        if (name !== '') this.#emit({ kind: 'tool_call', id: id || `call_${index}`, name, argumentsText });
      }
    }
    this.#report();
    this.#over = true;
    this.#complete = true;
    this.#input.listener({ kind: 'over', outcome: cut ? 'incomplete' : 'completed' });
  }

  fail(failure: ProviderFailure): void {
    if (this.#over) return;
    if (this.#begun) this.#report();
    this.#over = true;
    this.#input.listener({ kind: 'failed', failure });
  }

  cancel(): void {
    if (this.#over) return;
    this.#report();
    this.#over = true;
  }

  #read(chunk: ChatChunk): void {
    if (chunk.error) {
      const code = `${chunk.error.code ?? ''} ${chunk.error.type ?? ''}`;
      const kind = code.includes('rate_limit') ? 'rate_limited' : 'dropped';
      return this.fail(this.#input.failure(kind, chunk.error.message, { blamesRequest: codeBlamesRequest(code) }));
    }
    // It comes in a separate chunk, after the reason, or with every chunk, where the last one counts.
    if (chunk.usage) this.#usage = chunk.usage;
    const [choice] = chunk.choices;
    if (choice === undefined) return;
    const { content, refusal, tool_calls: calls } = choice.delta ?? {};
    const text = content ?? refusal ?? '';
    if (text !== '') {
      this.#written += text;
      this.#emit({ kind: 'text', text });
    }
    for (const part of calls ?? []) {
      const call = this.#calls.get(part.index) ?? { id: '', name: '', argumentsText: '' };
      this.#calls.set(part.index, call);
      call.id ||= part.id ?? '';
      call.name ||= part.function?.name ?? '';
      call.argumentsText += part.function?.arguments ?? '';
      this.#written += part.function?.arguments ?? '';
    }
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
  }

  #report(): void {
    const { settings, request } = this.#input;
    const payer = { provider: settings.provider, model: settings.model };
    const usage = this.#usage;
    const entries =
      usage === null
        ? estimatedUsage(payer, request, this.#written)
        : tokenUsage(payer, {
            input: usage.prompt_tokens ?? 0,
            cachedInput: usage.prompt_tokens_details?.cached_tokens ?? 0,
            output: usage.completion_tokens ?? 0,
          });
    this.#emit({ kind: 'usage', entries });
  }

  #emit(event: LanguageModelEvent): void {
    this.#input.listener(event);
  }
}
