// Loaded by NODE_OPTIONS into a process of the product before anything of its own is: the first process whose program is
// HANG_ONCE_PROGRAM stands still for ever, and leaves the file HANG_ONCE_FILE with its number. The product knows nothing of it.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { HANG_ONCE_FILE: path, HANG_ONCE_PROGRAM: program } = process.env;

function isFirst() {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

if (isMainThread && process.argv[1]?.endsWith(program) && isFirst()) {
  // A program that has a handler, but no turn of its event loop to run it in, hears no signal but SIGKILL.
  process.on('SIGTERM', () => {});
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
