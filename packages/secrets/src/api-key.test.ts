import { describe, expect, it } from 'vitest';
import { createApiKey, digestApiKey, digestsEqual, isWellFormedApiKey, parseKeyPepper } from './api-key.ts';

const pepper = Buffer.alloc(32, 7);

describe('an API key', () => {
  it('has the documented format and a valid checksum', () => {
    const key = createApiKey();
    expect(key).toMatch(/^od_live_[0-9A-Za-z]{36}$/);
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(createApiKey()).not.toBe(key);
  });

  it('with one character changed is rejected without a look-up', () => {
    const key = createApiKey();
    for (let position = 0; position < key.length; position += 1) {
      const other = key[position] === 'x' ? 'y' : 'x';
      expect(isWellFormedApiKey(key.slice(0, position) + other + key.slice(position + 1))).toBe(false);
    }
  });

  it('has another digest under another pepper', () => {
    const key = createApiKey();
    expect(digestsEqual(digestApiKey(key, pepper), digestApiKey(key, pepper))).toBe(true);
    expect(digestsEqual(digestApiKey(key, pepper), digestApiKey(key, Buffer.alloc(32, 8)))).toBe(false);
    expect(digestApiKey(key, pepper)).toHaveLength(32);
  });
});

describe('a pepper', () => {
  it('is read from hexadecimal and from base64, with or without a line break', () => {
    expect(parseKeyPepper(`${pepper.toString('hex')}\n`)).toEqual(pepper);
    expect(parseKeyPepper(pepper.toString('base64'))).toEqual(pepper);
    expect(parseKeyPepper(pepper.toString('base64url'))).toEqual(pepper);
  });

  it.each(['', 'secret', '07'.repeat(31), 'not a key pepper, but 32 characters or more'])('%j is rejected', (text) => {
    expect(parseKeyPepper(text)).toBeNull();
  });
});
