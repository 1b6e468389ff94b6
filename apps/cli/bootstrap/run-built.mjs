// Runs a program of this repository from its compiled JavaScript.
import { join } from 'node:path';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled, rootDir } from './ensure-installed.mjs';
import { runProgram } from './run-program.mjs';

/** `path` is the JavaScript file, relative to the repository's root. Returns only after the program has ended. */
export async function runBuilt(path, args, options) {
  ensureInstalled();
  try {
    await ensureBuilt();
  } catch (error) {
    process.stderr.write(`The sources cannot be compiled: ${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  await runProgram(['--enable-source-maps', join(rootDir, path), ...args], options);
}
