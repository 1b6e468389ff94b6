import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';

/**
 * A time-ordered UUID (RFC 9562 section 5.7): 48 bits of milliseconds, then random. Ids that are close in time are close
 * in the primary key's index, which keeps inserts on warm pages.
 */
export function uuidV7(clock: Clock): string {
  const time = Math.floor(clock.nowMs()).toString(16).padStart(12, '0');
  // Versions 4 and 7 are equally random after the version digit, and Node draws version 4 from an entropy pool.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** A UUID of version 8 (RFC 9562 section 5.8) from the first 16 bytes of a digest. */
export function uuidV8(digest: Uint8Array): string {
  return formatUuid(Buffer.from(digest.subarray(0, 16)));
}

function formatUuid(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
