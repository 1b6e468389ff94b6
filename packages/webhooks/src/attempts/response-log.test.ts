import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loggedBody, loggedHeaders } from './response-log.ts';

test('ten headers of at most 200 characters are kept, and no cookie', () => {
  const names = Array.from({ length: 12 }, (_, index) => `x-${index}`);
  const headers = Object.fromEntries(names.map((name) => [name, 'v'.repeat(300)]));
  const logged = loggedHeaders({ 'set-cookie': 'session=1', ...headers });
  expect(Object.keys(logged)).toEqual(names.slice(0, 10));
  expect(new Set(Object.values(logged))).toEqual(new Set(['v'.repeat(200)]));
});

test('a header that is cut within a character stays storable as JSON', () => {
  const { 'x-a': value = '' } = loggedHeaders({ 'x-a': `${'v'.repeat(199)}😀` });
  expect(value).toBe(`${'v'.repeat(199)}\ufffd`);
});

test('a body is kept up to 2 KiB, without the half of a character', () => {
  expect(loggedBody(Buffer.from('ok'))).toBe('ok');
  expect(loggedBody(Buffer.from(`${'a'.repeat(2_047)}é and more`))).toBe('a'.repeat(2_047));
});

test('any bytes become a text that Postgres stores', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => {
      const text = loggedBody(bytes);
      expect(text.includes('\0')).toBe(false);
      expect(Buffer.from(text).toString('utf8')).toBe(text);
      expect(text.length).toBeLessThanOrEqual(2_048);
    }),
  );
  expect(loggedBody(Buffer.of(0xff, 0x00, 0x61))).toBe('\ufffd\ufffda');
});
