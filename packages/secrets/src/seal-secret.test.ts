import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSecret, sealSecret, type SealedFor } from './seal-secret.ts';
import { parseSecretKey } from './secret-key.ts';

const key = randomBytes(32);
const forTrunk = (owner: string): SealedFor => ({ purpose: 'trunk password', owner });

test('a sealed secret opens with the same key for the same owner, and every seal differs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, owner) => {
      const sealed = sealSecret(key, secret, forTrunk(owner));
      expect(openSecret(key, sealed, forTrunk(owner))).toBe(secret);
      expect(sealSecret(key, secret, forTrunk(owner))).not.toEqual(sealed);
    }),
  );
});

test('a sealed secret does not open with another key, another owner, or a changed byte', () => {
  const sealed = sealSecret(key, 'secret', forTrunk('main'));
  expect(openSecret(randomBytes(32), sealed, forTrunk('main'))).toBeUndefined();
  expect(openSecret(key, sealed, forTrunk('spare'))).toBeUndefined();
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(openSecret(key, changed, forTrunk('main'))).toBeUndefined();
    expect(openSecret(key, sealed.subarray(0, at), forTrunk('main'))).toBeUndefined();
  }
});

test('a sealed secret does not open for another purpose', () => {
  const sealed = sealSecret(key, 'secret', forTrunk('main'));
  for (const purpose of ['provider credential', 'account secret'] as const) {
    expect(openSecret(key, sealed, { purpose, owner: 'main' })).toBeUndefined();
  }
});

test('trunk passwords that earlier releases sealed still open', () => {
  const earlier = Buffer.from('01000102030405060708090a0ba5c5a7b9755ec867e2d02c3cd9a9504732821c6695eb', 'hex');
  expect(openSecret(Buffer.from('5e'.repeat(32), 'hex'), earlier, forTrunk('main'))).toBe('secret');
});

test('a key is at least 32 bytes of hexadecimal or base64', () => {
  expect(parseSecretKey(key.toString('hex'))).toEqual(key);
  expect(parseSecretKey(`${key.toString('base64')}\n`)).toEqual(key);
  for (const text of ['', 'short', 'ab'.repeat(31)]) expect(parseSecretKey(text)).toBeNull();
});
