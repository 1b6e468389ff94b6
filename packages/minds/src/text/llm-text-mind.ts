import { unreachable, type Clock } from '@outdial/kernel';
import type { LanguageModel } from '../cascade/llm/language-model.ts';
import { Thinking, type ThinkingEvent } from '../cascade/thinking.ts';
import { History } from '../history.ts';
import { ToolCalls } from '../tool-calls.ts';
import type { Tool } from '../tool.ts';
import type { TextMind, TextMindEvent } from './text-mind.ts';

export interface LlmTextMindInput {
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly model: LanguageModel;
  readonly clock: Clock;
  readonly listener: (event: TextMindEvent) => void;
}

/** A conversation in text with the model of a cascade: what it writes is shown as it comes. */
export function openLlmTextMind(input: LlmTextMindInput): TextMind {
  return new LlmTextMind(input);
}

class LlmTextMind implements TextMind {
  readonly #input: LlmTextMindInput;
  readonly #history = new History();
  readonly #tools = new ToolCalls();
  #thinking: Thinking | null = null;
  #item = '';
  #items = 0;
  #empty = true;
  /** What the model is asked for next: one answer to everything that was said until then. */
  #wanted: { readonly hint: string | null } | null = null;
  #running = 0;
  #closed = false;

  constructor(input: LlmTextMindInput) {
    this.#input = input;
  }

  hear(text: string): void {
    this.#history.add({ kind: 'callee', text });
    this.#want(null);
  }

  said(text: string): void {
    this.#history.add({ kind: 'agent', text });
  }

  respond(hint?: string): void {
    this.#want(hint ?? null);
  }

  toolResult({ id, output, answer }: { readonly id: string; readonly output: string; readonly answer: boolean }): void {
    if (this.#closed || !this.#tools.takes(id)) return;
    this.#running -= 1;
    this.#history.add({ kind: 'tool_result', id, output });
    if (this.#tools.finished(answer)) this.#wanted ??= { hint: null };
    this.#next();
  }

  close(): void {
    if (this.#closed) return;
    this.#thinking?.cancel();
    this.#closed = true;
  }

  #want(hint: string | null): void {
    if (this.#closed) return;
    this.#wanted = { hint };
    this.#next();
  }

  /** A model that waits for its tools cannot be asked for anything else. */
  #next(): void {
    if (this.#closed || this.#thinking !== null || this.#running > 0 || this.#wanted === null) return;
    const { hint } = this.#wanted;
    this.#wanted = null;
    this.#items += 1;
    this.#item = `item_${this.#items}`;
    this.#empty = true;
    const { instructions, tools, model, clock } = this.#input;
    this.#thinking = new Thinking({
      models: [model],
      request: {
        instructions: hint === null ? instructions : `${instructions}\n\n${hint}`,
        conversation: this.#history.items(),
        tools,
      },
      clock,
      listener: (event) => this.#thought(event),
    });
  }

  #thought(event: ThinkingEvent): void {
    switch (event.kind) {
      case 'text':
        this.#empty = false;
        return this.#emit({ kind: 'words', item: this.#item, text: event.text });
      case 'tool_call':
        this.#empty = false;
        this.#running += 1;
        this.#tools.called(event.id);
        return this.#emit(event);
      case 'usage':
        return this.#emit(event);
      case 'recovered':
        return this.#emit({ kind: 'ignored', message: event.failure.message });
      case 'over':
        this.#thinking = null;
        this.#emit({ kind: 'answer_over', outcome: event.outcome, empty: this.#empty });
        return this.#next();
      case 'failed':
        this.#thinking = null;
        return this.#emit({ kind: 'answer_failed', failure: event.failure });
      default:
        return unreachable(event);
    }
  }

  #emit(event: TextMindEvent): void {
    if (this.#closed) return;
    this.#history.observe(event);
    this.#input.listener(event);
  }
}
