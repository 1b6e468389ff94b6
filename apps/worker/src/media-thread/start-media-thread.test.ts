import { systemClock } from '@outdial/kernel';
import { expect, test } from 'vitest';
import { startMediaThread } from './start-media-thread.ts';

function start(lastPort: number) {
  const lost: unknown[] = [];
  const thread = startMediaThread({
    speech: { synthesize: () => Promise.resolve(new Int16Array(1)) },
    clock: systemClock,
    recordingsDir: 'recordings',
    rtpPorts: { address: '127.0.0.1', firstPort: 24_800, lastPort },
    metricsEveryMs: 60_000,
    priority: 'raised',
    logLevel: 'silent',
    onLost: (error) => lost.push(error),
  });
  return { thread, lost };
}

test('a media thread that is asked to end is not reported as lost', async () => {
  const { thread, lost } = start(24_801);
  await thread.ready;
  thread.port.close();
  await thread.close();
  expect(lost).toEqual([]);
});

test('a media thread that cannot start reports it once, and is never ready', async () => {
  const { thread, lost } = start(0);
  await expect(thread.ready).rejects.toThrow('range of RTP ports');
  await thread.close();
  expect(lost).toHaveLength(1);
});
