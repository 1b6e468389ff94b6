import { unreachable } from '@outdial/kernel';
import type { HistoryItem, MindEvent } from './mind.ts';

type Entry = { readonly kind: 'other'; readonly item: HistoryItem } | { readonly kind: 'agent'; readonly item: string };

/** What a conversation has come to, from the events of its mind: enough to continue it on another connection. */
export class History {
  readonly #entries: Entry[] = [];
  readonly #words = new Map<string, string>();
  /** An answer has begun, or was asked for, and is not over. */
  #answering = false;

  get answering(): boolean {
    return this.#answering;
  }

  asked(): void {
    this.#answering = true;
  }

  observe(event: MindEvent): void {
    switch (event.kind) {
      case 'callee_said':
        if (event.text !== null) this.add({ kind: 'callee', text: event.text });
        return;
      case 'words':
      case 'sound':
        this.#answering = true;
        if (!this.#words.has(event.item)) this.#entries.push({ kind: 'agent', item: event.item });
        this.#words.set(event.item, (this.#words.get(event.item) ?? '') + (event.kind === 'words' ? event.text : ''));
        return;
      case 'tool_call':
        return this.add({ kind: 'tool_call', id: event.id, name: event.name, argumentsText: event.argumentsText });
      case 'answer_over':
      case 'answer_failed':
        this.#answering = false;
        return;
      case 'ready':
      case 'answer_timed':
      case 'item_over':
      case 'callee_speaking':
      case 'usage':
      case 'ignored':
      case 'recovered':
      case 'expiring':
      case 'near_limit':
      case 'failed':
        return;
      default:
        unreachable(event);
    }
  }

  add(item: HistoryItem): void {
    this.#entries.push({ kind: 'other', item });
  }

  /** The callee heard only these words of an item. */
  cut(item: string, heardText: string): void {
    if (this.#words.has(item)) this.#words.set(item, `${heardText} [interrupted]`.trim());
  }

  /** An item of which nothing was heard. */
  forget(item: string): void {
    if (this.#words.has(item)) this.#words.set(item, '');
  }

  items(): readonly HistoryItem[] {
    return this.#entries.flatMap((entry): readonly HistoryItem[] => {
      if (entry.kind === 'other') return [entry.item];
      const text = this.#words.get(entry.item)?.trim() ?? '';
      return text === '' ? [] : [{ kind: 'agent', text }];
    });
  }
}
