/**
 * Part of `npm run check`: production code imports nothing that is for tests, and the folders of a package depend on
 * each other in one direction. Cycles between files are oxlint's (`import/no-cycle`); the order of the packages is
 * turbo's (`turbo boundaries`).
 */
import { fileURLToPath } from 'node:url';
import { importErrors } from './imports/import-errors.ts';
import { readSourceFiles, readWorkspaces } from './imports/repository.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const errors = importErrors(readSourceFiles(root), readWorkspaces(root));
for (const { file, line, message } of errors) process.stderr.write(`${file}:${line}: ${message}\n`);
process.exitCode = errors.length === 0 ? 0 : 1;
