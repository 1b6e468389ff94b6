// Part of `npm run check`: npm verifies only packages whose digest is in the lockfile, and a URL would tie the
// lockfile to one host.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockfileErrors } from './lockfile-errors.mjs';
import { rootDir } from './ensure-installed.mjs';

const faults = lockfileErrors(JSON.parse(await readFile(join(rootDir, 'package-lock.json'), 'utf8')));
for (const fault of faults) process.stderr.write(`package-lock.json: ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
