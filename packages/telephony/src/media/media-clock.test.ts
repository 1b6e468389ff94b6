import { ManualClock } from '@outdial/testkit/async';
import { describe, expect, it } from 'vitest';
import { createMediaClock, createPhasedClocks } from './media-clock.ts';

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

describe('a media clock of several phases', () => {
  const PHASES = 5;

  function setUpPhases() {
    const clock = new ManualClock();
    const startMs = clock.monotonicMs();
    const errors: unknown[] = [];
    const phases = createPhasedClocks(PHASES, { clock, onError: (error) => errors.push(error) });
    return { clock, phases, errors, nowMs: () => clock.monotonicMs() - startMs };
  }

  it('spreads the ticks evenly over every 20 ms, whenever a subscriber joins', () => {
    const { clock, phases, nowMs } = setUpPhases();
    const times = phases.map((): number[] => []);
    for (const [nth, phase] of phases.entries()) {
      phase.subscribe(() => times[nth]?.push(nowMs()));
      clock.turn(7);
    }
    clock.turn(200);
    for (const of of times) expect(of.slice(1).every((timeMs, at) => timeMs - (of[at] ?? 0) === 20)).toBe(true);
    expect(new Set(times.map((of) => (of[0] ?? 0) % 20))).toEqual(new Set([0, 4, 8, 12, 16]));
  });

  it('sends all packets of a phase before anything of the next one is prepared', () => {
    const { clock, phases, nowMs } = setUpPhases();
    const steps: string[] = [];
    for (const nth of [1, 2]) {
      for (const call of ['a', 'b']) {
        phases[nth]?.prepare(() => steps.push(`${nowMs()} prepare ${nth}${call}`));
        phases[nth]?.subscribe(() => steps.push(`${nowMs()} send ${nth}${call}`));
      }
    }
    clock.turn(27);
    steps.length = 0;
    clock.turn(4);
    expect(steps).toEqual(['28 send 2a', '28 send 2b']);
    clock.turn(13);
    expect(steps.slice(2)).toEqual([
      '40 prepare 1a',
      '40 prepare 1b',
      '44 send 1a',
      '44 send 1b',
      '44 prepare 2a',
      '44 prepare 2b',
    ]);
  });

  it.each([0, 1, 3, 4, 5, 20, 37])('prepares a tick before it comes, and once, after a stall of %d ms', (stallMs) => {
    const { clock, phases } = setUpPhases();
    let [prepared, ticked, mostAhead] = [0, 0, 0];
    clock.turn(3);
    phases[3]?.prepare(() => (prepared += 1));
    phases[3]?.subscribe(() => {
      ticked += 1;
      mostAhead = Math.max(mostAhead, Math.abs(prepared - ticked));
    });
    clock.turn(100);
    clock.stall(stallMs);
    clock.turn(100);
    expect(ticked).toBeGreaterThanOrEqual(Math.floor((200 + stallMs) / 20) - 1);
    expect(mostAhead).toBe(0);
  });

  it('runs a phase that came due while the one before ran, without waiting for another tick', () => {
    const { clock, phases } = setUpPhases();
    const sent: number[] = [];
    phases[1]?.subscribe(() => clock.stall(5));
    phases[2]?.subscribe((dueMs) => sent.push(clock.monotonicMs() - dueMs));
    clock.turn(400);
    expect(sent.length).toBeGreaterThanOrEqual(15);
    expect(Math.max(...sent)).toBeLessThanOrEqual(5);
  });

  it('never has two frames prepared for one tick, whenever a call joins', () => {
    const { clock, phases } = setUpPhases();
    phases[0]?.subscribe(() => undefined);
    for (let joined = 0; joined < 20; joined += 1) {
      let [waiting, mostWaiting] = [0, 0];
      const preparing = phases[2]?.prepare(() => (waiting += 1));
      const ticking = phases[2]?.subscribe(() => {
        mostWaiting = Math.max(mostWaiting, waiting);
        waiting = Math.max(0, waiting - 1);
      });
      clock.turn(61);
      expect(mostWaiting).toBe(1);
      preparing?.cancel();
      ticking?.cancel();
    }
  });

  it('sleeps when no phase has a subscriber', () => {
    const { clock, phases } = setUpPhases();
    const subscriptions = phases.map((phase) => phase.subscribe(() => undefined));
    const prepared = phases[1]?.prepare(() => undefined);
    clock.turn(40);
    for (const subscription of [...subscriptions, ...subscriptions]) subscription.cancel();
    expect(clock.pendingTimers).toBe(1);
    prepared?.cancel();
    expect(clock.pendingTimers).toBe(0);
  });

  it('keeps ticking for the others when one subscriber throws while it prepares', () => {
    const { clock, phases, errors } = setUpPhases();
    let ticks = 0;
    phases[1]?.prepare(() => {
      throw new Error('broken call');
    });
    phases[1]?.subscribe(() => (ticks += 1));
    clock.turn(99);
    expect(ticks).toBe(5);
    expect(errors.length).toBeGreaterThanOrEqual(4);
  });
});
