import type { MindEvent } from './mind.ts';

/** Items that have begun and are not over: no more of them follows once their connection is lost. */
export class ItemsUnderWay {
  /** Whether sound of it came. */
  readonly #items = new Map<string, boolean>();

  observe(event: MindEvent): void {
    if (event.kind === 'words' && !this.#items.has(event.item)) this.#items.set(event.item, false);
    if (event.kind === 'sound') this.#items.set(event.item, true);
    if (event.kind === 'item_over') this.#items.delete(event.item);
  }

  /** They are forgotten. */
  take(): readonly { readonly item: string; readonly hasSound: boolean }[] {
    const taken = [...this.#items].map(([item, hasSound]) => ({ item, hasSound }));
    this.#items.clear();
    return taken;
  }
}
