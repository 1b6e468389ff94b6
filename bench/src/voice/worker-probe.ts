import { isMainThread } from 'node:worker_threads';
// oxlint-disable-next-line import/no-unassigned-import -- the probe answers messages by itself
import './probe/main-thread.mjs';

/**
 * Preloaded into the measured worker, with the probe of its threads. Between `block` and `unblock` it blocks the main thread
 * for 40 of every 200 ms.
 */
const PERIOD_MS = 200;
const BLOCKED_MS = 40;

let blocking: NodeJS.Timeout | undefined;

function block(): void {
  const untilMs = performance.now() + BLOCKED_MS;
  while (performance.now() < untilMs);
}

if (isMainThread) {
  process.on('message', (message) => {
    if (message === 'block') blocking ??= setInterval(block, PERIOD_MS);
    if (message === 'unblock') {
      clearInterval(blocking);
      blocking = undefined;
    }
  });
}
