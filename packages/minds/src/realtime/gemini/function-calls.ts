import type { HistoryItem } from '../../mind.ts';
import { ToolCalls } from '../../tool-calls.ts';
import { resultNote } from './notes.ts';

type Json = Readonly<Record<string, unknown>>;

/** What the model gets of a tool: in a message of its own kind, or as a text where the connection does not know the call. */
export type ToolResult =
  | {
      readonly kind: 'response';
      readonly message: (scheduling: 'SILENT' | 'WHEN_IDLE') => Json;
      readonly isAnswered: boolean;
    }
  | { readonly kind: 'note'; readonly text: string; readonly isAnswered: boolean };

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

  /** Null: the call is unknown, or has its result. */
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
    if (!this.#open.delete(id)) return { kind: 'note', text: resultNote(name, output), isAnswered };
    return { kind: 'response', isAnswered, message: (scheduling) => toolResponse({ id, name, output, scheduling }) };
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
