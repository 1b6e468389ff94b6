/**
 * Checks spelling and style. `npm run lint:prose -- docs` checks the documentation and fails on a fault. Without an
 * argument it checks the texts of the code and every package's Markdown as well, and prints the faults by package;
 * `-- --list` prints each one.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { createProseLinter, type ProseFault } from './prose/prose-linter.ts';
import { sourceTexts } from './source-texts.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTATION = ['docs/**/*.md', '*.md'];
/** Their sentences come from the code, where they are checked. */
const GENERATED = ['docs/reference/**'];
/** It quotes the words that the linter rejects. */
const QUOTING = ['docs/renamed-words.md'];
const OTHER_MARKDOWN = ['apps/**/*.md', 'packages/**/*.md', 'bench/**/*.md'];
const NO_TEXTS = ['**/node_modules/**', '**/dist/**'];

const [mode] = process.argv.slice(2);
const linter = createProseLinter(new URL('../', import.meta.url));

const documentation = await lintMarkdown(DOCUMENTATION);
if (mode === 'docs') {
  print(documentation);
  process.exitCode = documentation.length === 0 ? 0 : 1;
} else {
  const texts: ProseFault[] = [];
  for (const { file, line, text } of sourceTexts(rootDir)) texts.push(...(await linter.lintText(file, line, text)));
  const faults = [...documentation, ...(await lintMarkdown(OTHER_MARKDOWN)), ...texts];
  if (mode === '--list') print(faults);
  printCounts(faults);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

async function lintMarkdown(patterns: readonly string[]): Promise<readonly ProseFault[]> {
  const files = globSync(patterns, { cwd: rootDir, ignore: [...NO_TEXTS, ...GENERATED, ...QUOTING] }).toSorted();
  const faults: ProseFault[] = [];
  for (const file of files)
    faults.push(...(await linter.lintMarkdown(file, readFileSync(`${rootDir}/${file}`, 'utf8'))));
  return faults;
}

function print(faults: readonly ProseFault[]): void {
  for (const { file, line, message } of faults) process.stdout.write(`${file}:${line}: ${message}\n`);
}

function printCounts(faults: readonly ProseFault[]): void {
  const counts = new Map<string, number>();
  for (const { file } of faults) {
    const [top = '', second = ''] = file.split('/');
    const part = top === 'apps' || top === 'packages' ? `${top}/${second}` : top;
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  for (const [part, count] of sorted) process.stdout.write(`${String(count).padStart(6)}  ${part}\n`);
  process.stdout.write(`${String(faults.length).padStart(6)}  in all\n`);
}
