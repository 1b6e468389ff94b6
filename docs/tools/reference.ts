/**
 * Writes the reference pages out of the code, and with them the document and the types of `packages/sdk`. With `--check` it writes nothing, names the pages that differ from the
 * code and exits with 1.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { apiDocument } from '@outdial/api/documentation';
import { apiPage } from './reference/api.ts';
import { cliPage } from './reference/cli.ts';
import { configurationPage } from './reference/configuration.ts';
import { endedReasonsPage } from './reference/ended-reasons.ts';
import { errorsPage } from './reference/errors.ts';
import { logEventsPage } from './reference/log-events.ts';
import { metricsPage } from './reference/metrics.ts';
import { stalePages } from './reference/stale-pages.ts';
import { testNumbersPage } from './reference/test-numbers.ts';

const rootDir = fileURLToPath(new URL('../../', import.meta.url));
const NOTE = '<!-- Generated from the code by `npm run docs:reference`. Do not edit. -->';

const pages = new Map(
  Object.entries({
    'api.md': apiPage(),
    'cli.md': await cliPage(),
    'configuration.md': configurationPage(),
    'ended-reasons.md': endedReasonsPage(),
    'errors.md': errorsPage(),
    'log-events.md': logEventsPage(),
    'metrics.md': metricsPage(),
    'test-numbers.md': testNumbersPage(),
  }).map(([name, text]) => [`docs/reference/${name}`, `${NOTE}\n\n${text}\n`]),
);
pages.set('packages/sdk/openapi.json', `${JSON.stringify(apiDocument, null, 1)}\n`);
pages.set('packages/sdk/src/generated/api.ts', typesOf(JSON.stringify(apiDocument)));

if (process.argv.includes('--check')) {
  const stale = await stalePages(pages, (name) => readFile(`${rootDir}${name}`, 'utf8'));
  for (const name of stale) process.stderr.write(`${name} differs from the code: run npm run docs:reference\n`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  await mkdir(`${rootDir}docs/reference`, { recursive: true });
  await mkdir(`${rootDir}packages/sdk/src/generated`, { recursive: true });
  await Promise.all([...pages].map(([name, text]) => writeFile(`${rootDir}${name}`, text)));
}

/** The package of the client has the generator, and the compiler that it needs. */
function typesOf(document: string): string {
  const program = `${rootDir}packages/sdk/tools/api-types.ts`;
  return execFileSync(process.execPath, ['--import=tsx', program], { input: document, encoding: 'utf8' });
}
