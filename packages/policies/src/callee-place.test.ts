import { expect, test } from 'vitest';
import { calleePlace } from './callee-place.ts';

test('a number of a region has its country and region', () => {
  expect(calleePlace('+14235550100', null)).toEqual({
    zones: ['America/Chicago', 'America/New_York'],
    regions: ['US', 'US-TN'],
    givenZone: null,
    certain: true,
  });
  expect(calleePlace('+17875550100', null).regions).toEqual(['PR', 'US-PR']);
  expect(calleePlace('+4915112345678', null).regions).toEqual(['DE']);
});

test('a number that may be anywhere in its country may be in any region of it', () => {
  expect(calleePlace('+18005550100', null)).toMatchObject({ regions: ['US', 'US-*'], certain: false });
  expect(calleePlace('+61491570156', null)).toMatchObject({ regions: ['AU', 'AU-*'], certain: false });
});

test('a given zone makes the place certain, and leaves zones and regions as they are', () => {
  const { zones, regions } = calleePlace('+18005550100', null);
  expect(calleePlace('+18005550100', 'America/Phoenix')).toEqual({
    zones,
    regions,
    givenZone: 'America/Phoenix',
    certain: true,
  });
});

test('a number of no country has neither zone nor region', () => {
  for (const number of ['+881612345678', '', 'x'])
    expect(calleePlace(number, null)).toEqual({ zones: [], regions: [], givenZone: null, certain: false });
});

test('numbers of one place share an object, which no caller can change', () => {
  const place = calleePlace('+14235550100', null);
  expect(calleePlace('+14239999999', null)).toBe(place);
  expect(calleePlace('+14235550100', 'Asia/Kolkata')).not.toBe(place);
  expect(Object.isFrozen(place) && Object.isFrozen(place.regions)).toBe(true);
});
