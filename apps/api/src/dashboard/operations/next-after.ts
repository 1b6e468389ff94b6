/** The cursor of the next page: the id of the last entry, or null on the last page. */
export function nextAfter<Entry>(
  entries: readonly Entry[],
  hasMore: boolean,
  idOf: (entry: Entry) => string,
): string | null {
  const last = entries.at(-1);
  return hasMore && last !== undefined ? idOf(last) : null;
}
