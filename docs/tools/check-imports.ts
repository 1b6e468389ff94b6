/**
 * Part of `npm run check`: production code imports nothing that is for tests, and the folders of a package depend on
 * each other in one direction. Cycles between files are oxlint's (`import/no-cycle`); the order of the packages is
 * turbo's (`turbo boundaries`).
 */
import { fileURLToPath } from 'node:url';
import { importFaults } from './imports/import-faults.ts';
import { readSourceFiles, readWorkspaces } from './imports/repository.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const faults = importFaults(readSourceFiles(root), readWorkspaces(root));
for (const { file, line, message } of faults) process.stderr.write(`${file}:${line}: ${message}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
