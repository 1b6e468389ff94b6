import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { sourceComments } from '../source-comments.ts';
import { sourceTexts, toolTexts } from '../source-texts.ts';
import { testNames } from '../test-names.ts';
import type { ProseProblem, ProseLinter } from './prose-linter.ts';

const MARKDOWN = ['docs/**/*.md', '*.md', '{apps,packages,bench}/**/*.md'];
/** Sentences of the reference come from the code, where they are checked. The list of old names quotes what is banned. */
const NOT_CHECKED = ['docs/reference/**', 'docs/renamed-words.md', '**/node_modules/**', '**/dist/**'];

/**
 * Checks all that people read: Markdown, the texts in the code, test names and, for style alone, comments.
 *
 * @param root the folder of the repository.
 */
export async function lintRepository(root: string, linter: ProseLinter): Promise<readonly ProseProblem[]> {
  const problems: ProseProblem[] = [];
  for (const file of globSync(MARKDOWN, { cwd: root, ignore: NOT_CHECKED }).toSorted())
    problems.push(...(await linter.lintMarkdown(file, readFileSync(`${root}/${file}`, 'utf8'))));
  for (const { file, line, text } of [...sourceTexts(root), ...toolTexts(root), ...testNames(root)])
    problems.push(...(await linter.lintText(file, line, text)));
  for (const { file, line, text } of sourceComments(root))
    problems.push(...(await linter.lintComment(file, line, text)));
  return problems;
}
