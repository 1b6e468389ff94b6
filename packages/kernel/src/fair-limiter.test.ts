import { describe, expect, it } from 'vitest';
import { createFairLimiter, FairLimiterFull, type FairLimiter } from './fair-limiter.ts';

const OPTIONS = { maxRunning: 2, maxRunningPerLane: 2, maxWaiting: 6, maxWaitingPerLane: 5 };

/** A job starts, and leaves its lane, in the microtasks that follow. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Jobs that the test ends, and the order in which they started. */
function stage(limiter: FairLimiter) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    enter: (lane: string, name = lane) =>
      limiter.run(lane, () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(name)));
      }),
    endNext: async () => {
      await settled();
      ends.shift()?.();
      await settled();
    },
  };
}

describe('a fair limiter', () => {
  it('limits how many jobs run at once, and serves lanes in turn', async () => {
    const { begun, enter, endNext } = stage(createFairLimiter(OPTIONS));
    const all = [1, 2, 3, 4, 5].map((name) => enter('busy', `busy ${name}`));
    all.push(enter('honest'));
    await endNext();
    expect(begun).toEqual(['busy 1', 'busy 2', 'busy 3']);
    await endNext();
    expect(begun.at(-1)).toBe('honest');
    for (let count = 0; count < 6; count += 1) await endNext();
    expect(await Promise.all(all)).toHaveLength(6);
  });

  it('limits how many jobs of one lane run at once, even while there is room', async () => {
    const { begun, enter } = stage(createFairLimiter({ ...OPTIONS, maxRunning: 3 }));
    for (const lane of ['busy', 'busy', 'busy', 'honest']) void enter(lane);
    await settled();
    expect(begun).toEqual(['busy', 'busy', 'honest']);
  });

  it('rejects jobs beyond the waiting limit of a lane', async () => {
    const limiter = createFairLimiter(OPTIONS);
    const { enter } = stage(limiter);
    for (let count = 0; count < 7; count += 1) void enter('busy');
    expect([limiter.isFull('busy'), limiter.isFull('honest')]).toEqual([true, false]);
    await expect(enter('busy')).rejects.toMatchObject({ scope: 'lane' });
  });

  it('gives the last waiting place of the longest lane to another lane when all places are taken', async () => {
    const { begun, enter, endNext } = stage(createFairLimiter(OPTIONS));
    const busy = Array.from({ length: 7 }, (_, index) => enter('busy', `busy ${index + 1}`).catch((error) => error));
    const others = ['a', 'b'].map((name) => enter(name));
    expect(await busy[6]).toBeInstanceOf(FairLimiterFull);
    await endNext();
    await endNext();
    await endNext();
    expect(begun.slice(2)).toContain('a');
    expect(begun.slice(2)).toContain('b');
    for (let count = 0; count < 7; count += 1) await endNext();
    expect(await Promise.all(others)).toEqual(['a', 'b']);
  });

  it('rejects a job when no lane has more waiting jobs than its own would', async () => {
    const limiter = createFairLimiter(OPTIONS);
    const { enter } = stage(limiter);
    for (let lane = 0; lane < 8; lane += 1) void enter(`lane ${lane}`);
    await expect(enter('another')).rejects.toMatchObject({ scope: 'all' });
    expect(limiter.isFull('another')).toBe(true);
  });

  it('frees the place of a job that fails, and keeps the place of one that pays for its cost', async () => {
    const limiter = createFairLimiter({ ...OPTIONS, maxRunning: 1 });
    await expect(limiter.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    let paid: (() => void) | undefined;
    const pay = () => new Promise<void>((resolve) => (paid = resolve));
    expect(await limiter.run('a', async () => 'done', pay)).toBe('done');
    let hasBegun = false;
    const next = limiter.run('a', async () => (hasBegun = true));
    expect(hasBegun).toBe(false);
    paid?.();
    expect(await next).toBe(true);
  });
});
