// Loaded by NODE_OPTIONS into a process of the product before anything of its own is: the first HANG_TIMES processes whose
// program is HANG_PROGRAM stand still for ever, each with a line in HANG_FILE that has its number. The product knows
// nothing of it.
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { HANG_FILE: path, HANG_PROGRAM: program, HANG_TIMES: times } = process.env;

function hungBefore() {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').length;
  } catch {
    return 0;
  }
}

if (isMainThread && process.argv[1]?.endsWith(program) && hungBefore() < Number(times)) {
  // A program that has a handler, but no turn of its event loop to run it in, hears no signal but SIGKILL.
  process.on('SIGTERM', () => {});
  appendFileSync(path, `${process.pid}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
