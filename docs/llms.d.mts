export function llmsTexts(
  pages: ReadonlyMap<string, string>,
  document: unknown,
): Readonly<Record<'llms.txt' | 'llms-full.txt', string>>;
export function isPage(path: string): boolean;
