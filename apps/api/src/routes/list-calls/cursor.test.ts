import { accountIdSchema, callIdSchema } from '@outdial/contracts';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCursorSeal } from './cursor.ts';

const accountId = accountIdSchema.parse('0a000000-0000-4000-8000-000000000001');
const otherAccount = accountIdSchema.parse('0a000000-0000-4000-8000-000000000002');
const cursors = createCursorSeal(Buffer.from('secret'));
const positions = fc.record({
  createdAtMs: fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
  callId: fc.uuid().map((id) => callIdSchema.parse(id)),
});

it('returns the position that was written', () => {
  fc.assert(
    fc.property(positions, (position) => {
      expect(cursors.read(accountId, cursors.write(accountId, position))).toEqual(position);
    }),
  );
});

it('rejects a cursor of another account or another secret', () => {
  const position = { createdAtMs: 1, callId: callIdSchema.parse('0c000000-0000-4000-8000-000000000001') };
  const cursor = cursors.write(accountId, position);
  expect(cursors.read(otherAccount, cursor)).toBeNull();
  expect(createCursorSeal(Buffer.from('other')).read(accountId, cursor)).toBeNull();
});

it('rejects a cursor with a single character changed, added or removed', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ ';
  fc.assert(
    fc.property(positions, fc.nat(), fc.constantFrom(...alphabet.split('')), (position, place, character) => {
      const cursor = cursors.write(accountId, position);
      const at = place % cursor.length;
      fc.pre(cursor[at] !== character);
      const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);
      expect(cursors.read(accountId, changed)).toBeNull();
      expect(cursors.read(accountId, cursor + character)).toBeNull();
      expect(cursors.read(accountId, cursor.slice(0, at) + cursor.slice(at + 1))).toBeNull();
    }),
  );
});

it('rejects anything else', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(cursors.read(accountId, text)).toBeNull();
    }),
  );
});
