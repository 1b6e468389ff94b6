import { expect, test } from 'vitest';
import { OneAtATime } from './one-at-a-time.ts';

test('of tasks that come too fast, the first and the latest run, one after the other', async () => {
  const queue = new OneAtATime();
  const log: string[] = [];
  const finishes: (() => void)[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise<void>((resolve) => finishes.push(resolve));
    log.push(`${name} ends`);
  };
  const done = queue.run(work('first'));
  void queue.run(work('second'));
  void queue.run(work('third'));
  expect(log).toEqual(['first begins']);
  finishes.shift()?.();
  await expect.poll(() => log).toEqual(['first begins', 'first ends', 'third begins']);
  finishes.shift()?.();
  await done;
  expect(log.at(-1)).toBe('third ends');
});

test('a failed task does not block the next', async () => {
  const queue = new OneAtATime();
  await expect(queue.run(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  let isDone = false;
  await queue.run(async () => (isDone = true));
  expect(isDone).toBe(true);
});
