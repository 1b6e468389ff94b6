/** What a page says about the one after it: the id of its last entry, or null where there is none. */
export function nextAfter<Entry>(
  entries: readonly Entry[],
  hasMore: boolean,
  idOf: (entry: Entry) => string,
): string | null {
  const last = entries.at(-1);
  return hasMore && last !== undefined ? idOf(last) : null;
}
