import type { FixedLine } from './phase.ts';

/** What an item of the mind is for. `answer`: the mind answers the callee by itself. */
export type ItemPurpose =
  | 'answer'
  | 'opening'
  | 'no_input'
  | 'transfer'
  | 'introduction'
  | Exclude<FixedLine, 'failure'>;

export interface AskedItem {
  readonly purpose: ItemPurpose;
  /** Said word for word; null: in the model's own words. */
  readonly text: string | null;
}

const FIXED: ReadonlySet<ItemPurpose> = new Set<ItemPurpose>(['voicemail', 'screening', 'closing', 'opt_out']);
/** The callee cannot break in. */
export const isWhole = ({ purpose }: AskedItem): boolean => FIXED.has(purpose);

interface Request extends AskedItem {
  dropped: boolean;
}

const ANSWER: AskedItem = { purpose: 'answer', text: null };

/**
 * Which item belongs to which request. A mind answers one request after the other and names its items itself; once its
 * gate is open it also begins answers without a request.
 */
export class AskedItems {
  readonly #pending: Request[] = [];
  readonly #items = new Map<string, AskedItem | null>();
  #hasItem = false;

  ask(item: AskedItem): void {
    this.#pending.push({ ...item, dropped: false });
  }

  /** What was asked for is no longer wanted: its sound is dropped when it comes. */
  dropPending(): void {
    for (const request of this.#pending) request.dropped = true;
  }

  /** An answer is complete. One that only called a tool has no item, and leaves no request for the next to meet. */
  answerOver(): void {
    if (!this.#hasItem && this.#pending[0]?.purpose === 'answer') this.#pending.shift();
    this.#hasItem = false;
  }

  /** Null: the item is not wanted. `words`: its first words, if they are known. */
  meet(item: string, words: string | null, mindMayBegin: boolean): AskedItem | null {
    const known = this.#items.get(item);
    if (known !== undefined) return known;
    this.#hasItem = true;
    const [request] = this.#pending;
    const isOther = request !== undefined && mindMayBegin && words !== null && !begins(request.text, words);
    const isAsked = request !== undefined && !isOther;
    if (isAsked) this.#pending.shift();
    const asked = isAsked ? (request.dropped ? null : request) : ANSWER;
    this.#items.set(item, asked);
    return asked;
  }

  purposeOf(item: string): AskedItem {
    return this.#items.get(item) ?? ANSWER;
  }
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const begins = (text: string | null, words: string): boolean =>
  text === null || lettersOf(text).startsWith(lettersOf(words));
