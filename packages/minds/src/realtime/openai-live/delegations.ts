import { unreachable } from '@outdial/kernel';
import type { HistoryItem } from '../../mind.ts';
import { ToolCalls } from '../../tool-calls.ts';
import { parseDelegatedEvent, type DelegatedEvent, type DelegatedUsage } from './wire.ts';

export type FunctionCall = Extract<DelegatedEvent, { type: 'response.output_item.done' }>['item'];

export interface DelegationsInput {
  readonly history: readonly HistoryItem[];
  readonly send: (event: object) => void;
  readonly called: (call: FunctionCall) => void;
  readonly used: (usage: DelegatedUsage) => void;
  readonly ignored: (message: string) => void;
  /** A response of the other model is complete. */
  readonly responded: () => void;
  /** The delegated work goes on: what the live model says next comes of it. */
  readonly continued: () => void;
}

/** What is known of the result of a tool. */
export type Result =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'given' }
  /** The session does not know the call: it was made in another one. */
  | { readonly kind: 'of_another_session'; readonly name: string; readonly isAnswered: boolean };

/**
 * The work that the live model hands to the other one, which calls the tools. It goes on when the response that called is
 * complete, and all of its calls have their results.
 */
export class Delegations {
  readonly #input: DelegationsInput;
  readonly #calls = new ToolCalls();
  readonly #names = new Map<string, string>();
  /** Calls of this session. */
  readonly #own = new Set<string>();
  readonly #running = new Set<string>();
  #mayContinue = false;

  constructor(input: DelegationsInput) {
    this.#input = input;
    for (const item of input.history) {
      if (item.kind === 'tool_call') this.#named(item.id, item.name);
      if (item.kind === 'tool_result') this.#calls.takes(item.id);
    }
  }

  /** The other model works. */
  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** An event of the other model. */
  handle(value: unknown): void {
    const { called, used, ignored, responded } = this.#input;
    const parsed = parseDelegatedEvent(value);
    if (parsed.kind === 'invalid') return ignored(parsed.problem);
    if (parsed.kind === 'unknown') return;
    const { event } = parsed;
    switch (event.type) {
      case 'response.created':
        this.#running.add(event.response.id);
        return;
      case 'response.output_item.done':
        this.#named(event.item.call_id, event.item.name);
        this.#own.add(event.item.call_id);
        return called(event.item);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        if (event.response.usage) used(event.response.usage);
        if (event.type === 'response.failed') ignored('delegated work failed');
        this.#running.delete(event.response.id);
        this.#next();
        return responded();
      default:
        return unreachable(event);
    }
  }

  result(given: { readonly id: string; readonly output: string; readonly answer: boolean }): Result {
    const { id, output, answer } = given;
    if (!this.#calls.takes(id)) return { kind: 'unknown' };
    const isAnswered = this.#calls.finished(answer);
    if (!this.#own.delete(id)) return { kind: 'of_another_session', name: this.#names.get(id) ?? '', isAnswered };
    const item = { type: 'function_call_output', call_id: id, output };
    this.#input.send({ type: 'response.item.create', item });
    this.#mayContinue ||= isAnswered;
    this.#next();
    return { kind: 'given' };
  }

  #named(id: string, name: string): void {
    this.#calls.called(id);
    this.#names.set(id, name);
  }

  #next(): void {
    if (!this.#mayContinue || this.isRunning) return;
    this.#mayContinue = false;
    this.#input.continued();
    this.#input.send({ type: 'response.create' });
  }
}
