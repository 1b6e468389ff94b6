import { describe, expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

describe('a requested read', () => {
  it('never runs twice at once, and answers later requests with another run', async () => {
    let [running, most, runs] = [0, 0, 0];
    const ask = oneAtATime(async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      runs += 1;
    });
    await Promise.all([ask(), ask(), ask()]);
    expect([most, runs]).toEqual([1, 2]);
  });

  it('is answered by a run that started after the request, at any moment of the previous run', async () => {
    for (let moment = 0; moment < 10; moment += 1) {
      let begun = 0;
      const ask = oneAtATime(async () => {
        begun += 1;
      });
      const first = ask();
      for (let passed = 0; passed < moment; passed += 1) await Promise.resolve();
      const before = begun;
      await ask();
      await first;
      expect({ moment, isAnswered: begun > before }).toEqual({ moment, isAnswered: true });
    }
  });

  it('that fails rejects for its waiters, and runs again at the next request', async () => {
    let begun = 0;
    const ask = oneAtATime(async () => {
      begun += 1;
      if (begun === 1) throw new Error('a store is away');
    });
    await expect(ask()).rejects.toThrow('a store is away');
    await ask();
    expect(begun).toBe(2);
  });
});
