// `npm run check`: types, boundaries, lint, format, dead code, documentation. With names of steps, only those:
// `npm run typecheck` is `check.mjs types`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { rootDir } from './ensure-installed.mjs';

/** Without these the others cannot run. */
const FIRST = { lockfile: 'node apps/cli/bootstrap/check-lockfile.mjs', generate: 'npm run --silent generate' };

/** The longest first. None writes what another reads. One checker of types each: a second one checks the same again. */
const STEPS = {
  lint: 'oxlint --type-aware --deny-warnings',
  types: 'tsc --checkers 1',
  site: 'npm run --silent build -w @outdial/docs',
  'dead code': 'knip',
  prose: 'npm run --silent lint:prose',
  reference: 'npm run --silent docs:reference -- --check',
  'types of the dashboard': 'tsc --checkers 1 -p apps/dashboard',
  imports: 'npm run --silent check:imports',
  'types of the SDK': 'tsc --checkers 1 -p packages/sdk',
  // Its own compiler is the oldest that users of the SDK may have.
  'types of the SDK in TypeScript 5':
    'node packages/sdk/node_modules/typescript/bin/tsc -p packages/sdk/tsconfig.build.json --noEmit',
  'types of the site': 'tsc --checkers 1 -p docs',
  'types of the browser tests': 'tsc --checkers 1 -p packages/e2e',
  boundaries: 'turbo boundaries',
  format: 'oxfmt --check',
};

const wanted = process.argv[2] ?? '';
/** The output of each failed step. */
const failed = new Map();
for (const step of Object.entries(FIRST)) await run(step);
const waiting = failed.size === 0 ? Object.entries(STEPS).filter(([name]) => name.startsWith(wanted)) : [];
await Promise.all(Array.from({ length: availableParallelism() }, work));
// At the end, where a reader of a log looks.
for (const output of failed.values()) process.stdout.write(`\n${output}`);
if (failed.size > 0) process.stdout.write(`\nFailed: ${[...failed.keys()].join(', ')}.\n`);
process.exitCode = failed.size > 0 ? 1 : 0;

async function work() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await run(step);
}

/** Keeps the output of a step that fails: others run at the same time. */
async function run([name, command]) {
  const start = Date.now();
  const PATH = `${join(rootDir, 'node_modules', '.bin')}:${process.env.PATH}`;
  const child = spawn(command, { cwd: rootDir, shell: true, env: { ...process.env, PATH } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  const seconds = ((Date.now() - start) / 1_000).toFixed(1);
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`);
  if (code !== 0) failed.set(name, `${command}\n${output}`);
}
