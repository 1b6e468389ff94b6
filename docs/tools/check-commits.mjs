// Checks the subjects of a range of commits: `node docs/tools/check-commits.mjs origin/main..HEAD`. Plain JavaScript
// without dependencies: CI runs it before it installs anything.
import { execFileSync } from 'node:child_process';
import { subjectProblem } from './commit-subject.mjs';

/** What GitHub names as the base of a branch that is new. */
const NO_COMMIT = /^0{40}\.\./;

const range = process.argv[2] ?? 'origin/main..HEAD';
const args = NO_COMMIT.test(range) ? ['-1', 'HEAD'] : [range];
const log = execFileSync('git', ['log', '--no-merges', '--format=%h %s', ...args], { encoding: 'utf8' });
for (const line of log.split('\n').filter((text) => text !== '')) {
  const [hash, ...words] = line.split(' ');
  const problem = subjectProblem(words.join(' '));
  if (problem === null) continue;
  process.stderr.write(`${hash} "${words.join(' ')}" ${problem}\n`);
  process.exitCode = 1;
}
