/**
 * `npm run lint:prose`: checks spelling and style of all that people read, prints each problem with file and line, and
 * exits with 1 if there is one.
 */
import { fileURLToPath } from 'node:url';
import { lintRepository } from './prose/lint-repository.ts';
import { createProseLinter } from './prose/prose-linter.ts';

const linter = createProseLinter(new URL('../', import.meta.url));
const problems = await lintRepository(fileURLToPath(new URL('../..', import.meta.url)), linter);
for (const { file, line, message } of problems) process.stdout.write(`${file}:${line}: ${message}\n`);
if (problems.length > 0) {
  process.stdout.write(
    `${problems.length} problems of style or spelling. docs/style.md has the rules; docs/tools/prose/words.txt the words that no dictionary knows.\n`,
  );
}
process.exitCode = problems.length === 0 ? 0 : 1;
