/** The names of the pages that are missing on disk or have another text there. */
export async function stalePages(
  pages: ReadonlyMap<string, string>,
  read: (name: string) => Promise<string>,
): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const [name, text] of pages) {
    const stored = await read(name).catch(() => undefined);
    if (stored !== text) stale.push(name);
  }
  return stale;
}
