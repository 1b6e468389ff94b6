// Part of `npm run check`: npm verifies only what the lockfile has a digest of, and a URL would bind it to one host.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockfileFaults } from './lockfile-faults.mjs';
import { rootDir } from './ensure-installed.mjs';

const faults = lockfileFaults(JSON.parse(await readFile(join(rootDir, 'package-lock.json'), 'utf8')));
for (const fault of faults) process.stderr.write(`package-lock.json: ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
