import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemClock } from './clock.ts';
import { uuidV7, uuidV8 } from './ids.ts';

const at = (nowMs: number) => ({ ...systemClock, nowMs: () => nowMs });

describe('ids', () => {
  it('of version 7 sort by time and carry the variant of RFC 9562', () => {
    const earlier = uuidV7(at(1_700_000_000_000));
    const later = uuidV7(at(1_700_000_000_001));
    expect(earlier < later).toBe(true);
    expect(earlier).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(earlier.replaceAll('-', '').slice(0, 12), 16)).toBe(1_700_000_000_000);
  });

  it('of version 8 depend on the digest only', () => {
    const digest = createHash('sha256').update('same').digest();
    expect(uuidV8(digest)).toBe(uuidV8(digest));
    expect(uuidV8(digest)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuidV8(digest)).not.toBe(uuidV8(createHash('sha256').update('other').digest()));
  });
});
