import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { parseSync } from 'oxc-parser';
import { lineFinder } from './line-finder.ts';

/** A comment with its place in the source. Line comments that follow each other are one comment. */
export interface SourceComment {
  readonly file: string;
  readonly line: number;
  /** Without the signs that mark a comment; its lines stay. */
  readonly text: string;
}

const FILES = [
  '{apps,packages}/*/{src,test,tools}/**/*.{ts,tsx}',
  'apps/cli/bootstrap/*.{mjs,mts}',
  'bench/src/**/*.ts',
  'docs/**/*.{ts,mts,mjs}',
  'vitest.config.ts',
];
const NO_COMMENTS = ['**/node_modules/**', '**/generated/**', '**/dist/**', 'docs/.vitepress/cache/**'];

/** @param root the folder of the repository. */
export function sourceComments(root: string): readonly SourceComment[] {
  return globSync(FILES, { cwd: root, ignore: NO_COMMENTS })
    .toSorted()
    .flatMap((file) => commentsOf(file, readFileSync(`${root}/${file}`, 'utf8')));
}

/** The comments of one file. */
export function commentsOf(file: string, source: string): readonly SourceComment[] {
  const lineAt = lineFinder(source);
  const comments: SourceComment[] = [];
  let previousEnd = -1;
  for (const { type, value, start, end } of parseSync(file, source).comments) {
    const text = type === 'Line' ? value : value.replaceAll(/^[ \t]*\*[ \t]?/gm, '');
    const previous = comments.at(-1);
    const continues = type === 'Line' && previousEnd >= 0 && /^\n[ \t]*$/.test(source.slice(previousEnd, start));
    if (continues && previous !== undefined) {
      comments[comments.length - 1] = { ...previous, text: `${previous.text}\n${text}` };
    } else {
      comments.push({ file, line: lineAt(start), text });
    }
    previousEnd = type === 'Line' ? end : -1;
  }
  return comments;
}
