import { describe, expect, it } from 'vitest';
import { pause, systemClock, type Clock } from './clock.ts';

function manualClock() {
  const pending = new Set<() => void>();
  const clock: Clock = {
    ...systemClock,
    after: (_delayMs, callback) => {
      pending.add(callback);
      return { cancel: () => void pending.delete(callback) };
    },
  };
  return { clock, pending, fire: () => pending.forEach((callback) => callback()) };
}

describe('a pause', () => {
  it('ends when its time is up', async () => {
    const { clock, fire, pending } = manualClock();
    const paused = pause(clock, 1_000);
    fire();
    await paused;
    expect(pending.size).toBe(0);
  });

  it('ends at once when its signal aborts, and leaves no timer behind', async () => {
    const { clock, pending } = manualClock();
    const abort = new AbortController();
    const paused = pause(clock, 1_000, abort.signal);
    abort.abort();
    await paused;
    expect(pending.size).toBe(0);
    await pause(clock, 1_000, abort.signal);
  });
});
