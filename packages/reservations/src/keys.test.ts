import { expect, test } from 'vitest';
import { gateKeys } from './keys.ts';
import { newAccountId, newCallId } from '@outdial/calls/testing';

test('all keys share one hash tag', () => {
  const keys = gateKeys('{test}');
  const all = [
    keys.gate,
    keys.holds,
    keys.accounts,
    keys.channels,
    keys.trunks,
    keys.lines,
    keys.credentials,
    keys.breakers,
    keys.evidence('a'),
    keys.stagedHolds('a'),
    keys.stagedAccounts('a'),
    keys.dialled(newCallId()),
    keys.monitorsOf(newAccountId()),
    keys.monitorsIn(newCallId()),
    keys.monitors,
  ];
  expect(all.every((key) => key.startsWith('{test}:'))).toBe(true);
  expect(new Set(all).size).toBe(all.length);
});

test('a prefix without a hash tag is rejected, with the right notation', () => {
  expect(() => gateKeys('outdial')).toThrow('write it as "{outdial}"');
  expect(() => gateKeys('{}')).toThrow('has no hash tag');
});
