import type { openBrowser } from '@outdial/testkit/browser';
import { z } from 'zod';

export type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openBrowser>>['newPage']>>;

/** Longer frames delay typing and scrolling noticeably. */
export const LONG_FRAME_MS = 50;
const FRAME_MS = 1_000 / 60;

export interface Frames {
  readonly longMs: readonly number[];
  readonly drawn: number;
  /** Frames that were not drawn, at sixty a second, because the page could not keep up. */
  readonly dropped: number;
  readonly scriptMsPerSecond: number;
  /** All work of the page's main thread: script, style, layout, painting. */
  readonly taskMsPerSecond: number;
}

/** As text: the code in the page cannot use this process's variables. */
const WATCH_FRAMES = `new Promise((resolve) => {
  const longMs = [];
  const gapsMs = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longMs.push(duration);
  });
  observer.observe({ type: 'long-animation-frame' });
  let before = performance.now();
  const endMs = before + WATCH_MS;
  requestAnimationFrame(function next(at) {
    gapsMs.push(at - before);
    before = at;
    if (at < endMs) return requestAnimationFrame(next);
    observer.disconnect();
    resolve({ longMs, gapsMs });
  });
})`;

const watched = z.object({ longMs: z.array(z.number()), gapsMs: z.array(z.number()) });

export async function watchFrames(page: Page, seconds: number): Promise<Frames> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable');
  const secondsOf = async (wanted: string) => {
    const { metrics } = await protocol.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === wanted)?.value ?? NaN;
  };
  const before = { script: await secondsOf('ScriptDuration'), task: await secondsOf('TaskDuration') };
  const script = WATCH_FRAMES.replace('WATCH_MS', String(seconds * 1_000));
  const { longMs, gapsMs } = watched.parse(await page.evaluate(script));
  const after = { script: await secondsOf('ScriptDuration'), task: await secondsOf('TaskDuration') };
  await protocol.detach();
  return {
    longMs: longMs.filter((ms) => ms > LONG_FRAME_MS),
    drawn: gapsMs.length,
    dropped: gapsMs.reduce((sum, ms) => sum + Math.max(0, Math.round(ms / FRAME_MS) - 1), 0),
    scriptMsPerSecond: ((after.script - before.script) * 1_000) / seconds,
    taskMsPerSecond: ((after.task - before.task) * 1_000) / seconds,
  };
}
