import { expect, test } from 'vitest';
import { waitForTrunk } from './trunk-wait.ts';

const TTL_SECONDS = 600;
const out = (forMs: number, backInMs: number | null) => ({ kind: 'out', forMs, backInMs }) as const;

test.each([
  ['no worker with trunks runs', null],
  ['a trunk is up', { kind: 'up' }],
  ['an outage is younger than the time in the queue', out(599_999, null)],
  ['a trunk is back before the time in the queue ends', out(1_000, 600_000)],
] as const)('a call is accepted where %s', (_, availability) => {
  expect(waitForTrunk(availability, TTL_SECONDS).kind).toBe('worth_it');
});

test.each([
  ['no trunk is enabled', { kind: 'none' }, 30],
  ['an outage has lasted as long as a call may wait', out(600_000, null), 30],
  ['the outage lasts longer than a call may wait', out(1_000, 600_001), 300],
  ['the trunk is tried again in a moment', out(700_000, 4_200), 5],
] as const)('a call is rejected where %s, with the time to retry', (_, availability, retryAfterSeconds) => {
  expect(waitForTrunk(availability, TTL_SECONDS)).toEqual({ kind: 'pointless', retryAfterSeconds });
});
