import { integer, property, assert } from 'fast-check';
import { expect, test } from 'vitest';
import { sipCodeWords } from './sip-codes.ts';

test('SIP codes have their standard names', () => {
  expect(sipCodeWords(486)).toEqual({ name: 'Busy Here', meaning: 'The callee is on another call.' });
  expect(sipCodeWords(404).name).toBe('Not Found');
  expect(sipCodeWords(480).name).toBe('Temporarily Unavailable');
  expect(sipCodeWords(487).name).toBe('Request Terminated');
  expect(sipCodeWords(503).name).toBe('Service Unavailable');
  expect(sipCodeWords(603).name).toBe('Decline');
  expect(sipCodeWords(607).name).toBe('Unwanted');
});

test('an unknown code is described by its class', () => {
  expect(sipCodeWords(499).meaning).toBe('The carrier could not place the call as requested.');
  expect(sipCodeWords(599).meaning).toBe('The carrier had an internal error.');
  expect(sipCodeWords(699).meaning).toBe('The callee cannot be reached.');
});

test('every code has words', () => {
  assert(
    property(integer({ min: 100, max: 999 }), (code) => {
      const { name, meaning } = sipCodeWords(code);
      expect(name).not.toBe('');
      expect(meaning).toMatch(/\.$/);
    }),
  );
});
