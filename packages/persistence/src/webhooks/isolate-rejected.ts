import { isDatabaseAway } from '../database-away.ts';

/**
 * Runs a statement over all items. If Postgres rejects it, each half is run alone, down to the item that it rejects: one row
 * that cannot be read must not hold up the others.
 *
 * @throws what means that Postgres is away
 */
export async function isolateRejected<Item, Result>(
  items: readonly Item[],
  work: {
    readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
    /** What stands for an item that is rejected alone. */
    readonly rejected: (item: Item, error: unknown) => readonly Result[];
  },
): Promise<readonly Result[]> {
  try {
    return await work.run(items);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const [first] = items;
    if (first === undefined) return [];
    if (items.length === 1) return work.rejected(first, error);
  }
  const middle = items.length >> 1;
  const left = await isolateRejected(items.slice(0, middle), work);
  return [...left, ...(await isolateRejected(items.slice(middle), work))];
}
