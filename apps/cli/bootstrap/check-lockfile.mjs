// Part of `npm run check`: npm verifies only what the lockfile has a digest of, and a URL would bind it to one host.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockfileFaults } from './lockfile-faults.mjs';
import { rootDir } from './ensure-installed.mjs';

const read = async (path) => JSON.parse(await readFile(join(rootDir, path), 'utf8'));

const faults = lockfileFaults(await read('package-lock.json'), await read('apps/cli/bootstrap/without-integrity.json'));
for (const fault of faults) process.stderr.write(`package-lock.json: ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
