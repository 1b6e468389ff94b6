import { ManualClock } from '@outdial/testkit/async';
import { describe, expect, it } from 'vitest';
import { createMediaClock } from './media-clock.ts';

function setUp(speed = 1) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const media = createMediaClock({ clock, speed, onError: (error) => errors.push(error) });
  return { clock, media, errors };
}

describe('the media clock', () => {
  it('ticks once for every 20 ms', () => {
    const { clock, media } = setUp();
    let ticks = 0;
    media.subscribe(() => (ticks += 1));
    clock.turn(1_000);
    expect(ticks).toBe(50);
  });

  it.each([0, 4, 19.5])('ticks at its phase of every 20 ms, here %d, whenever a subscriber joins', (phaseMs) => {
    const clock = new ManualClock();
    const media = createMediaClock({ clock, phaseMs, onError: (error) => expect.unreachable(String(error)) });
    clock.turn(7);
    const due: number[] = [];
    const first = media.subscribe((dueMs) => due.push(dueMs));
    clock.turn(60);
    first.cancel();
    clock.turn(33);
    media.subscribe((dueMs) => due.push(dueMs));
    clock.turn(60);
    expect(due).toHaveLength(6);
    expect(due.every((dueMs) => (dueMs - phaseMs) % 20 === 0)).toBe(true);
  });

  it('reports when a tick was due, even if it is late', () => {
    const { clock, media } = setUp();
    const startMs = clock.monotonicMs();
    const due: number[] = [];
    media.subscribe((dueMs) => due.push(dueMs - startMs));
    clock.turn(20);
    clock.stall(50);
    clock.turn(20);
    expect(due).toEqual([20, 40, 60, 80]);
  });

  it.each([0.5, 3, 7, 10, 33, 100])(
    'does not drift in a minute at speed %d, whose period timers cannot hit',
    (speed) => {
      const { clock, media } = setUp(speed);
      let ticks = 0;
      media.subscribe(() => (ticks += 1));
      clock.turn(60_000);
      expect(Math.abs(ticks - 3_000 * speed)).toBeLessThanOrEqual(5 * Math.ceil(speed));
    },
  );

  it('catches up after a stall, at most five ticks per period', () => {
    const { clock, media } = setUp();
    let ticks = 0;
    media.subscribe(() => (ticks += 1));
    clock.turn(200);
    clock.stall(2_000);
    const bursts: number[] = [];
    for (let period = 0; period < 60; period += 1) {
      const before = ticks;
      clock.turn(20);
      bursts.push(ticks - before);
    }
    expect(Math.max(...bursts.slice(1))).toBe(5);
    // The first turn holds the late wake-up and the one after it.
    expect(bursts[0]).toBeLessThanOrEqual(10);
    expect(bursts.at(-1)).toBe(1);
    expect(ticks).toBe((200 + 2_000 + 60 * 20) / 20);
  });

  it('does not play an hour of suspension afterwards', () => {
    const { clock, media } = setUp();
    let ticks = 0;
    media.subscribe(() => (ticks += 1));
    clock.stall(3_600_000);
    clock.turn(1_000);
    expect(ticks).toBeLessThan(60);
    const before = ticks;
    clock.turn(1_000);
    expect(ticks - before).toBe(50);
  });

  it('gives a subscriber that joins during a backlog no ticks from before', () => {
    const { clock, media } = setUp();
    media.subscribe(() => undefined);
    clock.stall(1_000);
    let ticks = 0;
    media.subscribe(() => (ticks += 1));
    clock.turn(400);
    expect(ticks).toBe(20);
  });

  it('gives a subscriber that joins in a tick every tick after it, even during a catch-up', () => {
    const { clock, media } = setUp();
    let [ticks, joined] = [0, 0];
    media.subscribe(() => {
      ticks += 1;
      if (ticks === 2) media.subscribe(() => (joined += 1));
    });
    clock.stall(1_000);
    clock.turn(400);
    expect(ticks).toBe(1_400 / 20);
    expect(joined).toBe(ticks - 2);
  });

  it('keeps ticking for the others when one subscriber throws', () => {
    const { clock, media, errors } = setUp();
    let ticks = 0;
    media.subscribe(() => {
      throw new Error('broken call');
    });
    media.subscribe(() => (ticks += 1));
    clock.turn(100);
    expect(ticks).toBe(5);
    expect(errors).toHaveLength(5);
  });

  it('sleeps without subscribers, and wakes for the next one', () => {
    const { clock, media } = setUp();
    const first = media.subscribe(() => undefined);
    clock.turn(100);
    first.cancel();
    expect(clock.pendingTimers).toBe(0);
    clock.turn(7);
    let ticks = 0;
    media.subscribe(() => (ticks += 1));
    clock.turn(100);
    expect(ticks).toBe(5);
  });

  it('keeps one timer when the last subscriber is replaced within a tick', () => {
    const { clock, media } = setUp();
    let ticks = 0;
    const first = media.subscribe(() => {
      first.cancel();
      media.subscribe(() => (ticks += 1));
    });
    clock.turn(220);
    expect(ticks).toBe(10);
    expect(clock.pendingTimers).toBe(1);
  });
});
