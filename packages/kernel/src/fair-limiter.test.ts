import { describe, expect, it } from 'vitest';
import { createFairLimiter, FairLimiterFull, type FairLimiter } from './fair-limiter.ts';

const OPTIONS = { atOnce: 2, atOnceOfLane: 2, waiting: 6, waitingOfLane: 5 };

/** A work begins, and its lane is left, in the microtasks that follow. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Works that end when they are told to, and the order in which they began. */
function stage(turns: FairLimiter) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    enter: (lane: string, name = lane) =>
      turns.run(lane, () => {
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

describe('turns', () => {
  it('run at most so many at once, and one lane after the other', async () => {
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

  it('run at most so many of a lane at once, though others are free', async () => {
    const { begun, enter } = stage(createFairLimiter({ ...OPTIONS, atOnce: 3 }));
    for (const lane of ['busy', 'busy', 'busy', 'honest']) void enter(lane);
    await settled();
    expect(begun).toEqual(['busy', 'busy', 'honest']);
  });

  it('are refused beyond what may wait in a lane', async () => {
    const turns = createFairLimiter(OPTIONS);
    const { enter } = stage(turns);
    for (let count = 0; count < 7; count += 1) void enter('busy');
    expect([turns.isFull('busy'), turns.isFull('honest')]).toEqual([true, false]);
    await expect(enter('busy')).rejects.toMatchObject({ scope: 'lane' });
  });

  it('take the last place of the longest lane for another, when all places are taken', async () => {
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

  it('are refused when every lane has as few as the newcomer would', async () => {
    const turns = createFairLimiter(OPTIONS);
    const { enter } = stage(turns);
    for (let lane = 0; lane < 8; lane += 1) void enter(`lane ${lane}`);
    await expect(enter('another')).rejects.toMatchObject({ scope: 'all' });
    expect(turns.isFull('another')).toBe(true);
  });

  it('are let go by a work that fails, and kept as long as their work costs', async () => {
    const turns = createFairLimiter({ ...OPTIONS, atOnce: 1 });
    await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    let paid: (() => void) | undefined;
    const hold = () => new Promise<void>((resolve) => (paid = resolve));
    expect(await turns.run('a', async () => 'done', hold)).toBe('done');
    let hasBegun = false;
    const next = turns.run('a', async () => (hasBegun = true));
    expect(hasBegun).toBe(false);
    paid?.();
    expect(await next).toBe(true);
  });
});
