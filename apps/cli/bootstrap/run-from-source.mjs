// Runs a development tool of this repository from its sources, through a TypeScript loader.
import { join } from 'node:path';
import { ensureInstalled, rootDir } from './ensure-installed.mjs';
import { runProgram } from './run-program.mjs';

/** `path` is relative to the repository's root. Returns only after the program has ended. */
export async function runFromSource(path, args) {
  ensureInstalled();
  await runProgram(['--conditions=@outdial/source', '--import=tsx', join(rootDir, path), ...args]);
}
