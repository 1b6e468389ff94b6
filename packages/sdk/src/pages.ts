export interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  /** Null: this is the last page. */
  readonly nextCursor: string | null;
}

export type ReadPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/** A list that is read page by page, as it is iterated. Each iteration begins at the first page. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: ReadPage<Item>;
  readonly #first: string | undefined;

  /** @param first the cursor of the first page. */
  constructor(read: ReadPage<Item>, first?: string) {
    this.#read = read;
    this.#first = first;
  }

  /** One page: the first, or the one that a cursor names. */
  page(cursor?: string): Promise<Page<Item>> {
    return this.#read(cursor ?? this.#first);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let cursor = this.#first; ;) {
      const { items, hasMore, nextCursor } = await this.#read(cursor);
      yield* items;
      if (!hasMore || nextCursor === null) return;
      cursor = nextCursor;
    }
  }
}

/** A page as the API presents it. */
export function pageOf<Item>(
  items: readonly Item[],
  end: { readonly has_more: boolean; readonly next_cursor: string | null },
): Page<Item> {
  return { items, hasMore: end.has_more, nextCursor: end.next_cursor };
}
