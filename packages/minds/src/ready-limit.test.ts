import { ManualClock } from '@outdial/testkit/async';
import { expect, test } from 'vitest';
import { CallReadyLimit } from './ready-limit.ts';

function setUp() {
  const clock = new ManualClock();
  const limit = new CallReadyLimit(clock);
  const late: string[] = [];
  const watch = (name: string) => limit.watch(() => late.push(name));
  return { clock, limit, late, watch };
}

test('a connection has three seconds from the answer, however long it rang before', () => {
  for (const rangMs of [0, 2_000, 14_999]) {
    const { clock, limit, late, watch } = setUp();
    watch('voice');
    clock.turn(rangMs);
    limit.answered();
    clock.turn(2_999);
    limit.answered();
    expect(late).toEqual([]);
    clock.turn(1);
    expect(late).toEqual(['voice']);
    expect(clock.pendingTimers).toBe(0);
  }
});

test('a connection that begins after the answer has three seconds', () => {
  const { clock, limit, late, watch } = setUp();
  limit.answered();
  clock.turn(60_000);
  watch('voice');
  clock.turn(3_000);
  expect(late).toEqual(['voice']);
});

test('a provider that stays away while it rings is late before the callee picks up', () => {
  const { clock, limit, late, watch } = setUp();
  watch('voice');
  clock.turn(15_000);
  expect(late).toEqual(['voice']);
  limit.answered();
  clock.turn(60_000);
  expect(late).toEqual(['voice']);
});

test('a connection that became ready is not late', () => {
  const { clock, limit, late, watch } = setUp();
  watch('model').cancel();
  const voice = watch('voice');
  limit.answered();
  voice.cancel();
  clock.turn(60_000);
  expect(late).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
});
