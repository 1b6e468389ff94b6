import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into the measured worker: answers `usage` with its memory and processor time, and between `block` and
 * `unblock` blocks its main thread for 40 of every 200 ms.
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
    if (message !== 'usage') return;
    const { user, system } = process.cpuUsage();
    process.send?.({ rssBytes: process.memoryUsage.rss(), cpuMicros: user + system });
  });
  process.channel?.unref();
}
