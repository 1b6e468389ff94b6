import type { HistoryItem } from '../../mind.ts';
import { ToolCalls } from '../../tool-calls.ts';
import type { DelegatedEvent } from './wire.ts';

export type FunctionCall = Extract<DelegatedEvent, { type: 'response.output_item.done' }>['item'];

export interface DelegationsInput {
  readonly history: readonly HistoryItem[];
  readonly send: (event: object) => void;
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
  readonly #send: DelegationsInput['send'];
  readonly #calls = new ToolCalls();
  readonly #names = new Map<string, string>();
  /** Calls of this session. */
  readonly #own = new Set<string>();
  readonly #running = new Set<string>();
  #mayContinue = false;

  constructor({ history, send }: DelegationsInput) {
    this.#send = send;
    for (const item of history) {
      if (item.kind === 'tool_call') this.#named(item.id, item.name);
      if (item.kind === 'tool_result') this.#calls.takes(item.id);
    }
  }

  /** The other model works. */
  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  began(response: string): void {
    this.#running.add(response);
  }

  called(id: string, name: string): void {
    this.#named(id, name);
    this.#own.add(id);
  }

  over(response: string): void {
    this.#running.delete(response);
    this.#next();
  }

  result(given: { readonly id: string; readonly output: string; readonly answer: boolean }): Result {
    const { id, output, answer } = given;
    if (!this.#calls.takes(id)) return { kind: 'unknown' };
    const isAnswered = this.#calls.finished(answer);
    if (!this.#own.delete(id)) return { kind: 'of_another_session', name: this.#names.get(id) ?? '', isAnswered };
    this.#send({ type: 'response.item.create', item: { type: 'function_call_output', call_id: id, output } });
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
    this.#send({ type: 'response.create' });
  }
}
