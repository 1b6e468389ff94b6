import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Preloaded into the measured process: answers `measure` with its memory and its event-loop delay. */
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

process.on('message', (message) => {
  if (message === 'reset') delay.reset();
  if (message !== 'measure') return;
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ heapBytes: heapUsed + external, rssBytes: rss, delayP99Ms: delay.percentile(99) / 1e6 });
});
process.channel?.unref();
