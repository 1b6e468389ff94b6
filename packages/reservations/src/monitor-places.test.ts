import { randomUUID } from 'node:crypto';
import { newAccountId, newCallId } from '@outdial/calls/testing';
import type { AccountId, CallId } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { beforeEach, expect, test } from 'vitest';
import { standingClock } from '../test/standing-clock.ts';
import { gateUnderTest } from '../test/stores.ts';
import { gateKeys } from './keys.ts';
import { createMonitorPlaces, MONITOR_LEASE_MS, subscribeToMonitors, type MonitorPlaces } from './index.ts';

const under = gateUnderTest();
const logger = createLogger({ name: 'test', level: 'silent' });
const keyPrefix = `{${randomUUID()}}`;
let clock: ReturnType<typeof standingClock>;
let places: MonitorPlaces;
beforeEach(async () => {
  clock = standingClock(under.redis);
  await clock.start();
  places = createMonitorPlaces({ redis: clock.client, keyPrefix, places: 5 });
});

const placeOf = (accountId: AccountId, callId: CallId = newCallId()) => ({ accountId, callId, monitor: randomUUID() });
const taken = async (accountId: AccountId) => {
  const place = placeOf(accountId);
  expect(await places.take(place)).toBe('taken');
  return place;
};

test('of an account’s monitors that come at once, over several calls, exactly five get a place', async () => {
  const accountId = newAccountId();
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => places.take(placeOf(accountId))));
  expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(5);
});

test('an account with greedy monitors takes no place of another', async () => {
  const [greedy, neighbor] = [newAccountId(), newAccountId()];
  const callId = newCallId();
  await Promise.all(Array.from({ length: 40 }, () => places.take(placeOf(greedy, callId))));
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => places.take(placeOf(neighbor))));
  expect(outcomes).toEqual(Array.from({ length: 5 }, () => 'taken'));
});

test('a place is free once its monitor has left, and once its lease has run out', async () => {
  const accountId = newAccountId();
  const [first, second] = [await taken(accountId), await taken(accountId)];
  for (let nth = 0; nth < 3; nth += 1) await taken(accountId);
  await places.leave(first);
  await places.leave(first);
  await taken(accountId);
  await clock.pass(MONITOR_LEASE_MS - 1);
  // A renewal needs no second place.
  expect(await places.take(second)).toBe('taken');
  expect(await places.take(placeOf(accountId))).toBe('full');
  await clock.pass(1);
  for (let nth = 0; nth < 4; nth += 1) await taken(accountId);
  expect(await places.take(placeOf(accountId))).toBe('full');
});

test('no key outlives a lease', async () => {
  const [accountId, callId] = [newAccountId(), newCallId()];
  await places.take(placeOf(accountId, callId));
  const keys = gateKeys(keyPrefix);
  for (const key of [keys.monitorsOf(accountId), keys.monitorsIn(callId)]) {
    const ttlMs = await under.redis.pttl(key);
    expect(ttlMs).toBeGreaterThan(0);
    expect(ttlMs).toBeLessThanOrEqual(MONITOR_LEASE_MS);
  }
});

test('workers learn for how long a call is listened to: until the last of its monitors has left or lapsed', async () => {
  const heard: [CallId, number][] = [];
  const waiting: (() => void)[] = [];
  await subscribeToMonitors({
    redis: under.connect(),
    logger,
    keyPrefix,
    onMonitored(callId, forMs) {
      heard.push([callId, forMs]);
      for (const wake of waiting.splice(0)) wake();
    },
  });
  const until = async (count: number) => {
    while (heard.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    return heard.map(([, forMs]) => forMs);
  };
  const callId = newCallId();
  const [one, other] = [placeOf(newAccountId(), callId), placeOf(newAccountId(), callId)];
  await under.redis.publish(gateKeys(keyPrefix).monitors, 'no call');
  await places.take(one);
  await clock.pass(4_000);
  await places.take(other);
  await places.leave(other);
  await clock.pass(11_000);
  await places.leave(one);
  expect(await until(4)).toEqual([MONITOR_LEASE_MS, MONITOR_LEASE_MS, 11_000, 0]);
  expect(new Set(heard.map(([id]) => id))).toEqual(new Set([callId]));
});
