import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyPolicy } from '../test/any-policy.ts';
import { changeByModel, isOpenByModel, MINUTE_MS, wallClock } from '../test/stepping-model.ts';
import type { CalleePlace } from './callee-place.ts';
import { windowAt } from './calling-window.ts';
import type { PoliciesInForce } from './policies-in-force.ts';

const DAY_MINUTES = 1440;
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  'America/New_York': ['2026-03-08T07:00Z', '2026-11-01T06:00Z'],
  'Europe/London': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  // By half an hour.
  'Australia/Lord_Howe': ['2026-04-04T15:00Z', '2026-10-03T15:30Z'],
  // On a half hour.
  'America/St_Johns': ['2026-03-08T05:30Z', '2026-11-01T04:30Z'],
  // At midnight: one that comes twice, and one that does not exist.
  'America/Santiago': ['2026-04-05T03:00Z', '2026-09-06T04:00Z'],
  'Pacific/Chatham': ['2026-04-04T14:00Z', '2026-09-26T14:00Z'],
  // It crossed the date line: the 30th does not exist.
  'Pacific/Apia': ['2011-12-30T10:00Z', '2012-03-31T14:00Z'],
};
/** Zones whose clocks never change, at the changes of New York. */
const STEADY = ['Asia/Kolkata', 'Asia/Kathmandu', 'America/Phoenix', 'Pacific/Kiritimati'];

const place = (zones: readonly string[]): CalleePlace => ({ zones, regions: ['US'], givenZone: null, certain: true });

function expectModelsAnswer(policies: PoliciesInForce, where: CalleePlace, atMs: number): void {
  const answer = windowAt(policies, where, atMs);
  expect(answer.kind === 'open').toBe(isOpenByModel(policies, where, atMs));
  const expectedMs = changeByModel(policies, where, atMs, DAY_MINUTES);
  const changeMs = answer.kind === 'open' ? answer.untilMs : answer.opensAtMs;
  // The model looks a day ahead, and the answer 90.
  if (expectedMs === null) expect(changeMs ?? Infinity).toBeGreaterThan(atMs + (DAY_MINUTES - 1) * MINUTE_MS);
  else expect(changeMs).toBe(expectedMs);
}

function expectModelsAnswers(zones: readonly string[], changeMs: number): void {
  const dates = [-1, 0, 1].map((days) => wallClock(zones[0] ?? '', changeMs + days * DAY_MINUTES * MINUTE_MS).date);
  const policy = anyPolicy(['default', 'US', 'US-FL'], [...new Set(dates)]);
  const offsetMs = fc.integer({ min: -DAY_MINUTES * MINUTE_MS, max: 120 * MINUTE_MS });
  fc.assert(
    fc.property(policy, fc.option(policy), offsetMs, (policy, floor, offsetMs) => {
      expectModelsAnswer({ policy, floor }, place(zones), changeMs + offsetMs);
    }),
    { numRuns: 30 },
  );
}

describe('a window over a change of the clocks is by the local clock alone', () => {
  test.each(Object.entries(CHANGES))('in %s', (zone, changes) => {
    for (const change of changes) {
      const changeMs = Date.parse(change);
      const [before, after] = [wallClock(zone, changeMs - MINUTE_MS), wallClock(zone, changeMs)];
      expect(Date.parse(`${after.date}T${after.time}Z`)).not.toBe(
        Date.parse(`${before.date}T${before.time}Z`) + MINUTE_MS,
      );
      expectModelsAnswers([zone], changeMs);
    }
  });

  test.each(STEADY)('in %s, where there is none', (zone) => {
    for (const change of CHANGES['America/New_York'] ?? []) expectModelsAnswers([zone], Date.parse(change));
  });

  test.each([
    [['America/New_York', 'America/Phoenix']],
    [['Europe/London', 'America/New_York']],
    [['Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Kiritimati']],
  ])('in all zones of a place: %s', (zones) => {
    for (const change of CHANGES[zones[0] ?? ''] ?? ['2026-10-03T15:30Z'])
      expectModelsAnswers(zones, Date.parse(change));
  });
});
