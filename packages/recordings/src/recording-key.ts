import { sep } from 'node:path';
import { callIdSchema, type CallId } from '@outdial/contracts';

const KEY = /^([0-9a-f]{2})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{10}([0-9a-f]{2}))\.wav$/;

/**
 * `<shard>/<call id>.wav`. The shard is the id's last two digits, which are random; its first digits are a timestamp and
 * would put a year's calls into one folder.
 */
export function recordingKeyOf(callId: CallId): string {
  return `${callId.slice(-2)}/${callId}.wav`;
}

/** Undefined for any text that is not exactly a key, such as `../secret`. */
export function callIdOfKey(key: string): CallId | undefined {
  const [, shard, id, lastDigits] = KEY.exec(key) ?? [];
  return shard !== undefined && shard === lastDigits ? callIdSchema.safeParse(id).data : undefined;
}

/** The key's path below the recordings folder; undefined for any text that is not exactly a key. */
export function relativePathOf(key: string): string | undefined {
  return callIdOfKey(key) === undefined ? undefined : key.replace('/', sep);
}

/** When a recording first writes: 0 to below 1, spread evenly over calls. */
export function staggerOf(callId: CallId): number {
  return Number.parseInt(callId.slice(-2), 16) / 256;
}
