import { expect, test } from 'vitest';
import { stalePages } from './stale-pages.ts';

test('a page that differs from the code, or is missing, is stale', async () => {
  const pages = new Map([
    ['same.md', 'as generated'],
    ['edited.md', 'as generated'],
    ['missing.md', 'as generated'],
  ]);
  const stored: Readonly<Record<string, string>> = { 'same.md': 'as generated', 'edited.md': 'as edited' };
  const read = async (name: string) => {
    const text = stored[name];
    if (text === undefined) throw new Error('ENOENT');
    return text;
  };
  expect(await stalePages(pages, read)).toEqual(['edited.md', 'missing.md']);
});
