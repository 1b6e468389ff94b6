import type { Clock } from '@outdial/kernel';
import { describe, expect, it } from 'vitest';
import { stopTimeOf, TalkLimit } from './talk-limit.ts';

/** A clock whose two times are set separately, with its own monotonic zero. */
function clockAt(monotonicMs: number, wallMs: number) {
  const at = { monotonicMs, wallMs };
  const clock: Clock = {
    monotonicMs: () => at.monotonicMs,
    nowMs: () => at.wallMs,
    after: () => ({ cancel: () => undefined }),
  };
  return { at, clock };
}

function setUp() {
  const main = clockAt(5_000, 1_000_000);
  const thread = clockAt(70, 1_000_000);
  const limit = new TalkLimit(thread.clock, stopTimeOf(main.clock, 5_000 + 30_000));
  return { main, thread, limit };
}

describe('a call’s right to talk', () => {
  it('ends at one moment, although the threads count from different zeros', () => {
    const { thread, limit } = setUp();
    Object.assign(thread.at, { monotonicMs: 70 + 29_999, wallMs: 1_029_999 });
    expect(limit.check()).toBe('talk');
    Object.assign(thread.at, { monotonicMs: 70 + 30_000, wallMs: 1_030_000 });
    expect(limit.check()).toBe('stop');
  });

  it('ends by the monotonic clock, although the wall clock was set back', () => {
    const { thread, limit } = setUp();
    Object.assign(thread.at, { monotonicMs: 70 + 30_000, wallMs: 900_000 });
    expect(limit.check()).toBe('stop');
  });

  it('is in doubt when only the wall clock has passed its end: silence, until it is renewed', () => {
    const { main, thread, limit } = setUp();
    for (const clock of [main, thread]) clock.at.wallMs += 3_600_000;
    expect(limit.check()).toBe('be_silent');
    thread.at.monotonicMs += 7_999;
    expect(limit.check()).toBe('be_silent');
    main.at.monotonicMs += 7_999;
    limit.renew(stopTimeOf(main.clock, main.at.monotonicMs + 30_000));
    expect(limit.check()).toBe('talk');
  });

  it('ends when a doubt is not resolved in time, each doubt separately', () => {
    const { main, thread, limit } = setUp();
    thread.at.wallMs += 3_600_000;
    limit.check();
    thread.at.monotonicMs += 5_000;
    main.at.wallMs += 3_600_000;
    limit.renew(stopTimeOf(main.clock, 5_000 + 60_000));
    expect(limit.check()).toBe('talk');
    thread.at.wallMs += 3_600_000;
    expect(limit.check()).toBe('be_silent');
    thread.at.monotonicMs += 8_000;
    expect(limit.check()).toBe('stop');
  });

  it('is not extended by a message that was queued for long', () => {
    const { main, thread, limit } = setUp();
    const renewal = stopTimeOf(main.clock, 5_000 + 40_000);
    Object.assign(thread.at, { monotonicMs: 70 + 20_000, wallMs: 1_020_000 });
    limit.renew(renewal);
    Object.assign(thread.at, { monotonicMs: 70 + 40_000, wallMs: 1_040_000 });
    expect(limit.check()).toBe('be_silent');
  });

  it('ends at once when it has expired', () => {
    const { main, thread } = setUp();
    expect(new TalkLimit(thread.clock, stopTimeOf(main.clock, 4_000)).check()).toBe('stop');
  });
});
