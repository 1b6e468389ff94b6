import { createLogger } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { createCallIntake } from './call-intake.ts';
import { createWorker, type WorkerParts } from './worker.ts';

const asyncNothing = async () => undefined;

/** A worker without calls, and its log lines. */
function idleWorker(close: WorkerParts['close']) {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'warn',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const consumer = { start: () => undefined, stopTaking: asyncNothing, close: asyncNothing, handling: () => 0 };
  const worker = createWorker({
    driver: {
      liveCalls: () => 0,
      idle: asyncNothing,
      hangUpAll: () => undefined,
      handOverAll: asyncNothing,
    },
    consumer,
    intake: createCallIntake({ consumer, logger }),
    registration: { start: () => undefined, stopping: () => undefined, leave: asyncNothing },
    prepare: asyncNothing,
    startLoops: () => [],
    finishSending: asyncNothing,
    finishUploads: asyncNothing,
    announceStart: () => undefined,
    exposeMetrics: async () => '',
    checkStores: async () => ({ postgres: 'up', redis: 'up', timeline: 'current' }),
    close,
    drainLimitMs: 0,
    clock: fakeClock(),
    logger,
  });
  return { worker, lines };
}

test('a connection that fails to close is logged, and the worker still stops', async () => {
  const { worker, lines } = idleWorker(() => Promise.reject(new Error('the connection is closed')));
  await worker.start();
  await worker.stop(new AbortController().signal);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', msg: 'a connection did not close cleanly' },
  ]);
});
