import type { DialMarks } from '@outdial/calls';
import { gateKeys } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

/** Longer than the life of any call: afterwards the call's own record prevents a dial. */
const MARK_SECONDS = 86_400;

/**
 * Dial marks in Redis. They are separate from the gate, and no rebuild touches them.
 *
 * A command that is re-sent after its reply was lost finds its own mark and returns false: the call is then not dialed.
 * That costs a call; the opposite would ring a telephone twice.
 */
export function createDialMarks(options: { readonly redis: RedisClient; readonly keyPrefix?: string }): DialMarks {
  const keys = gateKeys(options.keyPrefix);
  return {
    async mark(callId) {
      const reply = await options.redis.set(keys.dialled(callId), '1', 'EX', MARK_SECONDS, 'NX');
      return reply === 'OK';
    },
  };
}
