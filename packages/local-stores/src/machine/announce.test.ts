import { EventEmitter, once } from 'node:events';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { announceIfSlow } from './announce.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work that takes longer than a second is announced while it runs', async () => {
  const said: string[] = [];
  const work = new EventEmitter();
  const result = announceIfSlow((text) => said.push(text), 'Waiting …', once(work, 'done'));
  vi.advanceTimersByTime(999);
  expect(said).toEqual([]);
  vi.advanceTimersByTime(2);
  expect(said).toEqual(['Waiting …']);
  work.emit('done', 'its result');
  expect(await result).toEqual(['its result']);
});

test('work that is quick or fails at once is not announced', async () => {
  const said: string[] = [];
  await announceIfSlow((text) => said.push(text), 'Waiting …', Promise.resolve());
  await expect(
    announceIfSlow((text) => said.push(text), 'Waiting …', Promise.reject(new Error('broken'))),
  ).rejects.toThrow('broken');
  vi.advanceTimersByTime(5_000);
  expect(said).toEqual([]);
});
