// Loaded through NODE_OPTIONS into a process of the product before its own code: the first HANG_TIMES processes whose
// program is HANG_PROGRAM hang forever, each after it has written its number to HANG_FILE. The product is unaware of
// it.
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
  // A program with a handler that never gets a turn of its event loop reacts only to SIGKILL.
  process.on('SIGTERM', () => {});
  appendFileSync(path, `${process.pid}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
