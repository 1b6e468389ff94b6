import { CAMPAIGN_HOLDS } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { campaignOf } from '../campaign-fixture.ts';
import { holdAdvice, opensAt } from './hold-words.ts';

const DAY = ['09:00-17:00'];
const WINDOW = {
  time_zone: 'America/New_York',
  days: { mon: DAY, tue: DAY, wed: DAY, thu: DAY, fri: DAY, sat: [], sun: [] },
};
/** A Saturday. */
const nowMs = Date.parse('2026-12-05T12:00:00.000Z');
const moment = { nowMs, time: (iso: string) => iso };

test('nothing is said of a campaign that calls, and every hold says what to do', () => {
  expect(holdAdvice(campaignOf(), moment)).toBeNull();
  const remedies = CAMPAIGN_HOLDS.map((held_by) => holdAdvice(campaignOf({ progress: { held_by } }), moment)?.remedy);
  expect(Object.fromEntries(CAMPAIGN_HOLDS.map((hold, at) => [hold, remedies[at]]))).toEqual({
    funds: 'wallet',
    capacity: 'requests',
    window: 'calling_hours',
    cap: 'calling_hours',
    budget: 'settings',
    provider: 'agent',
    account: null,
  });
});

test('its own hours are told apart from those of its callees, with the time at which they open', () => {
  const held = { held_by: 'window' } as const;
  const closed = holdAdvice(campaignOf({ window: WINDOW, progress: held }), moment);
  expect(closed).toMatchObject({ title: 'Outside its hours', remedy: 'settings' });
  // Monday, nine o’clock in New York.
  expect(closed?.text).toContain('2026-12-07T14:00:00.000Z');
  const open = { nowMs: Date.parse('2026-12-07T15:00:00.000Z'), time: moment.time };
  expect(opensAt(WINDOW, open.nowMs)).toBeNull();
  expect(holdAdvice(campaignOf({ window: WINDOW, progress: held }), open)?.title).toBe('Waits for calling hours');
});

test('its own bound of open calls is told apart from the slots of the account', () => {
  const own = campaignOf({ max_concurrent: 8, progress: { held_by: 'capacity' } });
  expect(holdAdvice(own, moment)).toMatchObject({ title: 'As many calls are open as you allow', remedy: 'settings' });
});

test('a campaign that was paused by its budget says so', () => {
  const paused = campaignOf({ state: 'paused', progress: { held_by: 'budget' } });
  expect(holdAdvice(paused, moment)?.title).toBe('Paused: its budget is used up');
});
