import type { HistoryItem } from '../../mind.ts';
import { ToolCalls } from '../../tool-calls.ts';
import { content } from './history-turns.ts';
import { resultNote } from '../notes.ts';

type Json = Readonly<Record<string, unknown>>;

/** What the model gets of a tool. */
export interface ToolResult {
  readonly message: Json;
  /** The model answers it: all calls of its answer have their results. */
  readonly isAnswered: boolean;
}

/** The calls of tools that wait for their results. */
export class FunctionCalls {
  readonly #calls = new ToolCalls();
  readonly #names = new Map<string, string>();
  /** The model waits for these: they are of this connection, and not canceled. */
  readonly #open = new Set<string>();

  constructor(history: readonly HistoryItem[]) {
    for (const item of history) {
      if (item.kind === 'tool_call') {
        this.#calls.called(item.id);
        this.#names.set(item.id, item.name);
      }
      if (item.kind === 'tool_result') this.#calls.takes(item.id);
    }
  }

  called(id: string, name: string): void {
    this.#calls.called(id);
    this.#names.set(id, name);
    this.#open.add(id);
  }

  /** The model does not wait for it any more; it still learns the result. */
  cancelled(id: string): void {
    this.#open.delete(id);
  }

  /** A text where the connection does not know the call. Null: the call is unknown, or has its result. */
  result({
    id,
    output,
    answer,
  }: {
    readonly id: string;
    readonly output: string;
    readonly answer: boolean;
  }): ToolResult | null {
    if (!this.#calls.takes(id)) return null;
    const name = this.#names.get(id) ?? '';
    const isAnswered = this.#calls.finished(answer);
    if (!this.#open.delete(id)) return { message: content('user', resultNote(name, output), isAnswered), isAnswered };
    const scheduling = isAnswered ? 'WHEN_IDLE' : 'SILENT';
    return { message: toolResponse({ id, name, output, scheduling }), isAnswered };
  }
}

export function toolResponse(given: {
  readonly id: string;
  readonly name: string;
  readonly output: string;
  readonly scheduling: 'SILENT' | 'WHEN_IDLE';
}): Json {
  const { id, name, output, scheduling } = given;
  return { toolResponse: { functionResponses: [{ id, name, response: { output }, scheduling }] } };
}
