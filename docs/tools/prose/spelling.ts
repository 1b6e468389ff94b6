import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeTrie } from 'cspell-trie-lib';

const require = createRequire(import.meta.url);

export interface Misspelling {
  readonly word: string;
  readonly index: number;
}

/**
 * American English with the terms of software, the words of the glossary and those of `words`, one to a line.
 *
 * @param glossary the text of docs/glossary.md: its words stand in bold.
 */
export function createSpelling(glossary: string, words: string): (text: string) => readonly Misspelling[] {
  const english = decodeTrie(gunzipSync(readFileSync(inPackage('@cspell/dict-en_us', 'en_US.trie.gz'))));
  const own = new Set(
    [softwareTerms(), words, [...glossary.matchAll(/\*\*(.+?)\*\*/g)].map((match) => match[1]).join('\n')].flatMap(
      (list) => list.toLowerCase().split(/[\s/]+/),
    ),
  );
  const isKnown = (word: string) => own.has(word.toLowerCase()) || english.has(word) || english.has(word.toLowerCase());
  return (text) =>
    [...text.matchAll(/(?<![\w@#/.$-])[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ'’]*(?![\w/@]|\.\w)/g)].flatMap((match) => {
      const word = match[0].replace(/['’]s$|['’]$/, '').replaceAll('’', "'");
      const isName = /^[A-Z]+s?$/.test(word) || /[a-z][A-Z]/.test(word) || word.length < 3;
      return isName || isKnown(word) ? [] : [{ word, index: match.index }];
    });
}

function softwareTerms(): string {
  const path = inPackage('@cspell/dict-software-terms', 'dict/softwareTerms.txt.gz');
  return gunzipSync(readFileSync(path)).toString().replaceAll(/^#.*$/gm, '');
}

/** These packages export their description, which lies at their root. */
function inPackage(name: string, path: string): string {
  return join(dirname(require.resolve(name)), path);
}
