import { randomUUID } from 'node:crypto';
import { callIdSchema, e164Schema, trunkNameSchema } from '@outdial/contracts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { trunkOf } from '../testing/trunks/trunk-of.ts';
import { chooseTrunks, systemCapacity } from './choose-trunks.ts';

const ALL_UP = { isUp: () => true };
const newCall = () => ({ id: callIdSchema.parse(randomUUID()), callerNumber: e164Schema.parse('+12025550199') });
const namesOf = (...args: Parameters<typeof chooseTrunks>) => chooseTrunks(...args).map(({ name }) => name);

test('trunks are ordered by priority, whatever their weights', () => {
  const trunks = [
    trunkOf({ name: 'last', priority: 30, weight: 100 }),
    trunkOf({ name: 'first', priority: 10, weight: 1 }),
    trunkOf({ name: 'second', priority: 20, weight: 0 }),
  ];
  for (let call = 0; call < 50; call += 1) {
    expect(namesOf(trunks, newCall(), ALL_UP)).toEqual(['first', 'second', 'last']);
  }
});

test('trunks of one priority share calls in proportion to their weights', () => {
  const trunks = [trunkOf({ name: 'three', weight: 3 }), trunkOf({ name: 'one', weight: 1 })];
  const calls = 4_000;
  let first = 0;
  for (let call = 0; call < calls; call += 1) if (namesOf(trunks, newCall(), ALL_UP)[0] === 'three') first += 1;
  // Six standard deviations of a fair draw are 164.
  expect(Math.abs(first - calls * 0.75)).toBeLessThan(165);
});

test('a trunk of weight 0 comes after all others of its priority', () => {
  const trunks = [trunkOf({ name: 'a-reserve', weight: 0 }), trunkOf({ name: 'main', weight: 1 })];
  for (let call = 0; call < 50; call += 1) {
    expect(namesOf(trunks, newCall(), ALL_UP)).toEqual(['main', 'a-reserve']);
  }
});

test('the trunk that already has a channel for the call comes first, if it may carry it', () => {
  const trunks = [trunkOf({ name: 'first', priority: 1 }), trunkOf({ name: 'last', priority: 2 })];
  const acquiredTrunk = trunkNameSchema.parse('last');
  expect(namesOf(trunks, { ...newCall(), acquiredTrunk }, ALL_UP)).toEqual(['last', 'first']);
  expect(namesOf(trunks, { ...newCall(), acquiredTrunk }, { isUp: ({ name }) => name === 'first' })).toEqual(['first']);
});

test('the order for a call is the same in every process, and for every order of the trunks', () => {
  const trunk = fc.record({ weight: fc.nat(5), priority: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(trunk, { maxLength: 8 }), fc.uuid(), (parts, id) => {
      const trunks = parts.map((part, index) => trunkOf({ name: `t${index}`, ...part }));
      const call = { id: callIdSchema.parse(id) };
      const chosen = namesOf(trunks, call, ALL_UP);
      expect(namesOf(trunks.toReversed(), call, ALL_UP)).toEqual(chosen);
      expect(chosen.toSorted()).toEqual(trunks.map(({ name }) => name));
    }),
  );
});

test('trunks that are disabled, have no channels or are down get no calls', () => {
  const trunks = [
    trunkOf({ name: 'off', enabled: false }),
    trunkOf({ name: 'closed', channels: 0 }),
    trunkOf({ name: 'down' }),
    trunkOf({ name: 'up' }),
  ];
  expect(namesOf(trunks, newCall(), { isUp: ({ name }) => name !== 'down' })).toEqual(['up']);
});

const only = (...prefixes: string[]) => trunkOf({ callerId: { prefixes, asserted: false } });

test('a trunk carries only the caller numbers that its rule names', () => {
  expect(namesOf([only('44', '1202')], newCall(), ALL_UP)).toHaveLength(1);
  expect(namesOf([only('44', '1203')], newCall(), ALL_UP)).toHaveLength(0);
});

test('the system’s capacity is its setting, limited to the channels of its trunks', () => {
  const trunks = [
    trunkOf({ name: 'a', channels: 30 }),
    trunkOf({ name: 'b', channels: 20 }),
    trunkOf({ name: 'off', channels: 500, enabled: false }),
  ];
  expect(systemCapacity(1_000, trunks)).toBe(50);
  expect(systemCapacity(40, trunks)).toBe(40);
  expect(systemCapacity(1_000, [])).toBe(1_000);
});
