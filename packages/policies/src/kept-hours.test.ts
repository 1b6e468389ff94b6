import type { CallingPolicySettings } from '@outdial/contracts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyPolicy } from '../test/any-policy.ts';
import { calleePlace, type CalleePlace } from './callee-place.ts';
import { windowAt } from './calling-window.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time-units.ts';
import { OPEN_WEEK, policyWith } from '../test/policies.ts';

const START_MS = Date.parse('2026-10-01T00:00Z');
const NUMBERS = ['+14235550100', '+12125550100', '+18005550100', '+881612345678'];

/** By objects for which nothing is kept. */
function freshWindowAt(policy: CallingPolicySettings, place: CalleePlace, atMs: number) {
  return windowAt({ policy: structuredClone(policy), floor: null }, { ...place }, atMs);
}

test('what is kept answers as a search would, in any order of instants', () => {
  const policy = anyPolicy(['default', 'US', 'US-TN'], ['2026-10-03', '2026-12-25', '2027-01-01']);
  const instants = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 2 * DAY_MS }), fc.integer({ min: 0, max: 100 * DAY_MS })),
    { minLength: 2, maxLength: 10 },
  );
  fc.assert(
    fc.property(policy, instants, fc.constantFrom(...NUMBERS), (policy, instants, number) => {
      const policies = { policy, floor: null };
      const place = calleePlace(number, null);
      for (const instant of instants) {
        // Twice, since the second answer is a kept one.
        for (const atMs of [START_MS + instant, START_MS + instant + 1]) {
          expect(windowAt(policies, place, atMs)).toEqual(freshWindowAt(policy, place, atMs));
        }
      }
    }),
    { numRuns: 50 },
  );
});

test('a change that comes within 90 days while an answer is kept is in it', () => {
  const policies = {
    policy: policyWith({ windows: { default: OPEN_WEEK }, closed_days: ['2027-01-01'] }),
    floor: null,
  };
  const place = calleePlace('+4420', null);
  const untilMs = Date.parse('2027-01-01T00:00Z');
  const soonMs = untilMs - 90 * DAY_MS;
  expect(windowAt(policies, place, soonMs - 30 * MINUTE_MS)).toEqual({ kind: 'open', untilMs: null });
  expect(windowAt(policies, place, soonMs - 1)).toEqual({ kind: 'open', untilMs: null });
  expect(windowAt(policies, place, soonMs)).toEqual({ kind: 'open', untilMs });
  expect(windowAt(policies, place, soonMs + HOUR_MS)).toEqual({ kind: 'open', untilMs });
  expect(windowAt(policies, place, soonMs - 2 * DAY_MS)).toEqual({ kind: 'open', untilMs: null });
});

test('a policy answers with each floor differently', () => {
  const policy = policyWith({});
  const place = calleePlace('+12125550100', null);
  const closed = policyWith({ windows: { default: {} } });
  expect(windowAt({ policy, floor: null }, place, START_MS).kind).toBe('open');
  expect(windowAt({ policy, floor: closed }, place, START_MS).kind).toBe('closed');
  expect(windowAt({ policy: null, floor: closed }, place, START_MS).kind).toBe('closed');
  expect(windowAt({ policy, floor: null }, place, START_MS).kind).toBe('open');
  expect(windowAt({ policy: null, floor: null }, place, START_MS).kind).toBe('open');
});

test('more places than are kept have their own answers', () => {
  const policies = { policy: policyWith({ windows: { GB: {} } }), floor: null };
  const kinds = Array.from({ length: 1_200 }, (_, index) => {
    const place = {
      zones: ['Europe/London'],
      regions: [index % 2 ? 'GB' : 'FR', String(index)],
      givenZone: null,
      certain: true,
    };
    return windowAt(policies, place, START_MS).kind;
  });
  expect(kinds).toEqual(kinds.map((_, index) => (index % 2 ? 'closed' : 'open')));
});
