// Loaded into a worker and its threads before their programs: ends the media thread once the named file exists, as
// running out of memory would.
import { existsSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

const LOOK_EVERY_MS = 50;

if (!isMainThread && workerData?.mediaPort) {
  setInterval(() => {
    if (existsSync(process.env.TEST_END_THREAD_FILE)) process.exit(7);
  }, LOOK_EVERY_MS);
}
