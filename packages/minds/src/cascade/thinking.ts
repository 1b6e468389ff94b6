import { unreachable, type Clock, type Timer } from '@outdial/kernel';
import type { ProviderFailure, UsageEntry } from '../mind.ts';
import type { Generation, LanguageModel, LanguageModelEvent, LanguageModelRequest } from './llm/language-model.ts';
import { Succession } from './succession.ts';

export type ThinkingEvent =
  | Extract<LanguageModelEvent, { kind: 'text' | 'tool_call' | 'over' }>
  | { readonly kind: 'usage'; readonly entries: readonly UsageEntry[] }
  | { readonly kind: 'recovered'; readonly failure: ProviderFailure; readonly afterMs: number }
  /** No model answers. The last event. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

export interface ThinkingInput {
  /** The first choice and its fallbacks. */
  readonly models: readonly LanguageModel[];
  readonly request: LanguageModelRequest;
  readonly clock: Clock;
  readonly listener: (event: ThinkingEvent) => void;
}

/** Without a first token until then, the next fallback races the model. */
const SLOW_MS = 3_000;
/** More than the most tokens that an agent may ask for. A voice is paid for each of them. */
const MAX_CHARACTERS = 24_000;
const MAX_TOOL_CALLS = 64;
/** Without any token for as long, the answer has failed. */
const STALLED_MS = 8_000;

const TOO_LONG: ProviderFailure = {
  component: 'llm',
  kind: 'invalid_response',
  message: 'the answer is longer than the model was asked for',
  retryAfterMs: null,
};

/**
 * One answer, whichever model gives it. The first model with a token has the answer; if it breaks off, another goes on
 * where it stopped.
 */
export class Thinking {
  readonly #input: ThinkingInput;
  readonly #succession: Succession;
  readonly #running = new Set<Generation>();
  readonly #beganMs: number;
  #winner: Generation | null = null;
  #said = '';
  #toolCalls = 0;
  #slow: Timer | null = null;
  #stalled: Timer | null = null;
  #retry: Timer | null = null;
  #lost: { readonly failure: ProviderFailure; readonly atMs: number } | null = null;
  #over = false;

  constructor(input: ThinkingInput) {
    this.#input = input;
    this.#beganMs = input.clock.monotonicMs();
    this.#succession = new Succession({ count: input.models.length, maxReconnects: 1, prefersFallback: true });
    this.#watch();
    this.#slow = input.clock.after(SLOW_MS, () => this.#race());
    this.#ask(0);
  }

  /** Usage that is left is emitted; nothing else follows. Idempotent. */
  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopTimers();
    for (const generation of this.#running) generation.cancel();
    this.#running.clear();
  }

  #ask(index: number): void {
    const model = this.#input.models[index];
    if (model === undefined) return;
    let asked: Generation | null = null;
    let early: LanguageModelEvent[] | null = [];
    asked = model.answer(this.#request(), (event) => {
      if (asked === null) early?.push(event);
      else this.#receive(asked, event);
    });
    this.#running.add(asked);
    for (const event of early) this.#receive(asked, event);
    early = null;
  }

  #request(): LanguageModelRequest {
    const { request } = this.#input;
    if (this.#said === '') return request;
    return {
      ...request,
      instructions: `${request.instructions}\n\nYour last answer broke off. Go on exactly after its last word, without repeating any of it.`,
      conversation: [...request.conversation, { kind: 'agent', text: this.#said }],
    };
  }

  #receive(from: Generation, event: LanguageModelEvent): void {
    if (event.kind === 'usage') return this.#input.listener(event);
    if (this.#over || !this.#running.has(from)) return;
    if (event.kind === 'failed') return this.#failed(from, event.failure);
    this.#wins(from);
    this.#watch();
    switch (event.kind) {
      case 'text':
        this.#said += event.text;
        return this.#said.length > MAX_CHARACTERS ? this.#end(TOO_LONG) : this.#input.listener(event);
      case 'tool_call':
        this.#toolCalls += 1;
        return this.#toolCalls > MAX_TOOL_CALLS ? this.#end(TOO_LONG) : this.#input.listener(event);
      case 'over':
        this.#over = true;
        this.#stopTimers();
        return this.#input.listener(event);
      default:
        return unreachable(event);
    }
  }

  #wins(generation: Generation): void {
    if (this.#winner === generation) return;
    this.#winner = generation;
    this.#slow?.cancel();
    for (const other of this.#running) {
      if (other === generation) continue;
      this.#running.delete(other);
      other.cancel();
    }
    if (this.#lost === null) return;
    const { failure, atMs } = this.#lost;
    this.#lost = null;
    this.#input.listener({ kind: 'recovered', failure, afterMs: this.#input.clock.monotonicMs() - atMs });
  }

  #race(): void {
    const next = this.#succession.after(this.#timeout('no first token in time'), false);
    if (next === null || this.#retry !== null) return;
    this.#lost ??= { failure: this.#timeout('no first token in time'), atMs: this.#beganMs };
    this.#ask(next.index);
  }

  #failed(from: Generation, failure: ProviderFailure): void {
    this.#running.delete(from);
    const won = this.#winner === from;
    if (won) this.#winner = null;
    // Another is still in the race.
    if (this.#running.size > 0) return;
    this.#lost ??= { failure, atMs: this.#input.clock.monotonicMs() };
    // What was called cannot be called again; the caller answers once the results are there.
    const answered = won || failure.kind === 'dropped' || failure.kind === 'invalid_response';
    const next = this.#toolCalls > 0 ? null : this.#succession.after(failure, answered);
    if (next === null) return this.#end(failure);
    if (next.delayMs === 0) return this.#ask(next.index);
    this.#retry = this.#input.clock.after(next.delayMs, () => {
      this.#retry = null;
      this.#ask(next.index);
    });
  }

  #watch(): void {
    this.#stalled?.cancel();
    this.#stalled = this.#input.clock.after(STALLED_MS, () => this.#end(this.#timeout('no token in time')));
  }

  #end(failure: ProviderFailure): void {
    if (this.#over) return;
    this.cancel();
    this.#input.listener({ kind: 'failed', failure });
  }

  #stopTimers(): void {
    for (const timer of [this.#slow, this.#stalled, this.#retry]) timer?.cancel();
  }

  #timeout(message: string): ProviderFailure {
    return { component: 'llm', kind: 'unreachable', message, retryAfterMs: null };
  }
}
