import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSecret, parseSecretKey, sealSecret } from './secret-key.ts';

const key = randomBytes(32);

test('what is sealed is opened by the same key for the same owner, and never looks the same twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, owner) => {
      const sealed = sealSecret(key, secret, owner);
      expect(openSecret(key, sealed, owner)).toBe(secret);
      expect(sealSecret(key, secret, owner)).not.toEqual(sealed);
    }),
  );
});

test('another key, another owner, or any changed byte opens nothing', () => {
  const sealed = sealSecret(key, 'secret', 'main');
  expect(openSecret(randomBytes(32), sealed, 'main')).toBeUndefined();
  expect(openSecret(key, sealed, 'spare')).toBeUndefined();
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(openSecret(key, changed, 'main')).toBeUndefined();
    expect(openSecret(key, sealed.subarray(0, at), 'main')).toBeUndefined();
  }
});

test('a key is at least 32 bytes of hexadecimal or base64', () => {
  expect(parseSecretKey(key.toString('hex'))).toEqual(key);
  expect(parseSecretKey(`${key.toString('base64')}\n`)).toEqual(key);
  for (const text of ['', 'short', 'ab'.repeat(31)]) expect(parseSecretKey(text)).toBeNull();
});
