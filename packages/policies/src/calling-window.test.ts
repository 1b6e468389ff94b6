import { expect, test } from 'vitest';
import { daily, OPEN_WEEK, policyWith } from '../test/policies.ts';
import { calleePlace, type CalleePlace } from './callee-place.ts';
import { windowAt, zonesAt } from './calling-window.ts';

const NOBODYS = '+881612345678';
const TENNESSEE = calleePlace('+14235550100', null);
const TOLL_FREE = calleePlace('+18005550100', null);
const GERMANY = calleePlace('+4915112345678', null);
const EIGHT_TO_NINE = policyWith({ windows: { default: daily('08:00-21:00') } });

/** The answer for an account's policy without a floor, with times as texts. */
function asked(settings: object, place: CalleePlace, at: string, floor: object | null = null) {
  const policies = { policy: policyWith(settings), floor: floor && policyWith(floor) };
  const answer = windowAt(policies, place, Date.parse(at));
  const changeMs = answer.kind === 'open' ? answer.untilMs : answer.opensAtMs;
  return `${answer.kind} ${changeMs === null ? 'for long' : new Date(changeMs).toISOString().slice(0, 16)}`;
}

test('without a rule, every hour is open wherever the callee is', () => {
  for (const place of [TENNESSEE, TOLL_FREE, calleePlace(NOBODYS, null)]) {
    expect(windowAt({ policy: null, floor: null }, place, 0)).toEqual({ kind: 'open', untilMs: null });
    expect(asked({}, place, '2026-12-01T03:00Z')).toBe('open for long');
  }
});

test('an area code of two zones is open only where both are', () => {
  // Eastern time is UTC-5, Central UTC-6.
  expect(asked(EIGHT_TO_NINE, TENNESSEE, '2026-12-01T13:59Z')).toBe('closed 2026-12-01T14:00');
  expect(asked(EIGHT_TO_NINE, TENNESSEE, '2026-12-01T14:00Z')).toBe('open 2026-12-02T02:00');
  expect(asked(EIGHT_TO_NINE, TENNESSEE, '2026-12-02T02:00Z')).toBe('closed 2026-12-02T14:00');
});

test('a number that may be anywhere in its country is open where every row of the country is', () => {
  const rows = { default: daily('00:00-24:00'), 'US-FL': daily('00:00-20:00'), 'US-WA': daily('08:00-24:00') };
  const windows = { ...rows, 'CA-QC': {} };
  // Honolulu is the last to come to 8 in the morning; Guam counts as another country.
  expect(asked({ windows }, TOLL_FREE, '2026-12-01T17:59Z')).toBe('closed 2026-12-01T18:00');
  expect(asked({ windows }, TOLL_FREE, '2026-12-01T18:00Z')).toBe('open 2026-12-02T01:00');
});

test('a row of a region holds there and nowhere else', () => {
  const windows = { default: OPEN_WEEK, 'US-TN': daily('10:00-12:00'), US: daily('00:00-23:00'), 'US-FL': {}, DE: {} };
  expect(asked({ windows }, TENNESSEE, '2026-12-01T16:00Z')).toBe('open 2026-12-01T17:00');
  expect(asked({ windows: { US: OPEN_WEEK, 'US-TN': {} } }, TENNESSEE, '2026-12-01T16:00Z')).toBe('closed for long');
  expect(asked({ windows: { US: {} } }, GERMANY, '2026-12-01T16:00Z')).toBe('open for long');
  expect(asked({ windows }, GERMANY, '2026-12-01T16:00Z')).toBe('closed for long');
});

test('a given zone is added to those of the number', () => {
  const inBerlin = calleePlace('+12125550100', 'Europe/Berlin');
  expect(asked(EIGHT_TO_NINE, inBerlin, '2026-12-01T12:00Z')).toBe('closed 2026-12-01T13:00');
  expect(asked(EIGHT_TO_NINE, inBerlin, '2026-12-01T13:00Z')).toBe('open 2026-12-01T20:00');
});

test('a given zone is taken alone only where the account and the operator both trust it', () => {
  const inBerlin = calleePlace('+12125550100', 'Europe/Berlin');
  const at = '2026-12-01T08:00Z';
  const trusting = { ...EIGHT_TO_NINE, trust_given_zone: true };
  expect(asked(trusting, inBerlin, at)).toBe('open 2026-12-01T20:00');
  expect(asked(trusting, inBerlin, at, { trust_given_zone: true })).toBe('open 2026-12-01T20:00');
  expect(asked(trusting, inBerlin, at, {})).toBe('closed 2026-12-01T13:00');
  expect(asked(EIGHT_TO_NINE, inBerlin, at, { trust_given_zone: true })).toBe('closed 2026-12-01T13:00');
  expect(asked(trusting, calleePlace('+12125550100', null), at)).toBe('closed 2026-12-01T13:00');
});

test('the floor closes what the policy leaves open', () => {
  const floor = { windows: { default: daily('09:00-12:00') } };
  expect(asked({}, GERMANY, '2026-12-01T08:00Z', floor)).toBe('open 2026-12-01T11:00');
  expect(asked(EIGHT_TO_NINE, GERMANY, '2026-12-01T11:00Z', floor)).toBe('closed 2026-12-02T08:00');
});

test('a callee of no zone is never called where there is a rule about time', () => {
  const nowhere = calleePlace(NOBODYS, null);
  expect(asked({ windows: { default: OPEN_WEEK } }, nowhere, '2026-12-01T12:00Z')).toBe('closed for long');
  expect(asked({ windows: { GB: OPEN_WEEK } }, nowhere, '2026-12-01T12:00Z')).toBe('closed for long');
  expect(asked({ closed_days: ['2020-01-01'] }, nowhere, '2026-12-01T12:00Z')).toBe('closed for long');
  expect(asked({}, nowhere, '2026-12-01T12:00Z', EIGHT_TO_NINE)).toBe('closed for long');
  expect(asked(EIGHT_TO_NINE, calleePlace(NOBODYS, 'Asia/Kolkata'), '2026-12-01T02:29Z')).toBe(
    'closed 2026-12-01T02:30',
  );
});

test('a closed day is a date of the local calendar', () => {
  const settings = { windows: { default: OPEN_WEEK }, closed_days: ['2026-12-25'] };
  expect(asked(settings, GERMANY, '2026-12-24T22:59Z')).toBe('open 2026-12-24T23:00');
  expect(asked(settings, GERMANY, '2026-12-24T23:00Z')).toBe('closed 2026-12-25T23:00');
  // From midnight in the first zone to midnight in the last.
  expect(asked(settings, TENNESSEE, '2026-12-25T05:00Z')).toBe('closed 2026-12-26T06:00');
  expect(asked({ closed_days: ['2026-12-25'] }, GERMANY, '2026-12-25T10:00Z')).toBe('closed 2026-12-25T23:00');
});

test('24:00 goes on as 00:00 of the next day', () => {
  const windows = { default: { ...daily('08:00-21:00'), fri: ['08:00-24:00'], sat: ['00:00-02:00'] } };
  expect(asked({ windows }, GERMANY, '2026-12-04T20:00Z')).toBe('open 2026-12-05T01:00');
  expect(asked({ windows: { default: { fri: ['08:00-24:00'] } } }, GERMANY, '2026-12-04T20:00Z')).toBe(
    'open 2026-12-04T23:00',
  );
});

test('Sunday evening goes on as Monday morning', () => {
  const windows = { default: { sun: ['20:00-24:00'], mon: ['00:00-04:00'] } };
  expect(asked({ windows }, GERMANY, '2026-12-06T20:00Z')).toBe('open 2026-12-07T03:00');
  expect(asked({ windows }, GERMANY, '2026-12-07T03:00Z')).toBe('closed 2026-12-13T19:00');
});

test('a window that never opens has no time of opening', () => {
  expect(asked({ windows: { default: {} } }, GERMANY, '2026-12-01T12:00Z')).toBe('closed for long');
  expect(asked({ windows: { default: daily('08:00-08:01') } }, TOLL_FREE, '2026-12-01T12:00Z')).toBe('closed for long');
  const disjoint = { default: daily('08:00-09:00'), DE: daily('09:00-10:00') };
  expect(asked({ windows: disjoint }, GERMANY, '2026-12-01T12:00Z')).toBe('closed for long');
});

test('each judged zone comes with its clock', () => {
  const policies = { policy: EIGHT_TO_NINE, floor: null };
  expect(zonesAt(policies, TENNESSEE, Date.parse('2026-12-01T13:30:59Z'))).toEqual([
    { zone: 'America/Chicago', localTime: '2026-12-01T07:30', isOpen: false },
    { zone: 'America/New_York', localTime: '2026-12-01T08:30', isOpen: true },
  ]);
  const trusting = { policy: { ...EIGHT_TO_NINE, trust_given_zone: true }, floor: null };
  expect(zonesAt(trusting, calleePlace('+14235550100', 'Asia/Kathmandu'), Date.parse('2026-12-31T20:00Z'))).toEqual([
    { zone: 'Asia/Kathmandu', localTime: '2027-01-01T01:45', isOpen: false },
  ]);
  expect(zonesAt(policies, calleePlace(NOBODYS, null), 0)).toEqual([]);
  expect(zonesAt({ policy: null, floor: null }, GERMANY, 0)).toEqual([
    { zone: 'Europe/Berlin', localTime: '1970-01-01T01:00', isOpen: true },
  ]);
});
