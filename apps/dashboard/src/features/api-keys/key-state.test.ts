import type { ApiKeyBody } from '@outdial/contracts';
import { describe, expect, it } from 'vitest';
import { EXPIRY_CHOICES, expiryOf, stateOf } from './key-state.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const key: ApiKeyBody = {
  id: '01991f3e-6a52-7c8d-9e10-2b3c4d5e6f70',
  name: 'production',
  shown_prefix: 'od_live_ab12',
  scopes: ['outbound'],
  created_at: '2026-11-01T12:00:00.000Z',
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
};

describe('a key', () => {
  it('is active until it expires or is revoked', () => {
    expect(stateOf(key, nowMs)).toBe('active');
    expect(stateOf({ ...key, expires_at: '2026-11-20T12:00:00.001Z' }, nowMs)).toBe('active');
    expect(stateOf({ ...key, expires_at: '2026-11-20T12:00:00.000Z' }, nowMs)).toBe('expired');
    expect(
      stateOf({ ...key, expires_at: '2026-11-19T12:00:00.000Z', revoked_at: '2026-11-18T12:00:00.000Z' }, nowMs),
    ).toBe('revoked');
  });

  it('expires the chosen number of days from now', () => {
    expect(EXPIRY_CHOICES.map(({ value }) => expiryOf(value, nowMs))).toEqual([
      null,
      '2026-12-20T12:00:00.000Z',
      '2027-02-18T12:00:00.000Z',
      '2027-11-20T12:00:00.000Z',
    ]);
  });
});
