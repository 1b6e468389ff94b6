import type { TurnSignals } from '@outdial/calls';
import { callIdSchema, liveTurnsSchema, type CallId, type LiveTurn } from '@outdial/contracts';
import type { Logger } from '@outdial/kernel';
import { DEFAULT_QUEUE_PREFIX, turnChannel } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

/** A message is a call's id and its turns as JSON. */
const ID_LENGTH = 36;

/** Announces what was said. While Redis is away, announcements are dropped. */
export function createTurnSignals(options: { readonly redis: RedisClient; readonly prefix?: string }): TurnSignals {
  const { redis } = options;
  const channel = turnChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  return {
    publish(callId, turns) {
      // Checked first: a patient connection would keep what was said until Redis is back.
      if (redis.status !== 'ready') return;
      redis.publish(channel, `${callId}${JSON.stringify(turns)}`).catch(() => undefined);
    },
  };
}

/**
 * Receives what is said from now on, also after outages of Redis. `redis` is a separate connection from
 * `connectForWaiting`, and may carry other subscriptions.
 */
export async function subscribeToTurnSignals(options: {
  readonly redis: RedisClient;
  readonly logger: Logger;
  readonly prefix?: string;
  /** Whether this call is of interest. Most are not, and their turns are skipped without parsing. */
  readonly isWanted: (id: string) => boolean;
  readonly onTurns: (callId: CallId, turns: readonly LiveTurn[]) => void;
}): Promise<void> {
  const channel = turnChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  options.redis.on('message', (from, message) => {
    if (from !== channel || !options.isWanted(message.slice(0, ID_LENGTH))) return;
    const callId = callIdSchema.safeParse(message.slice(0, ID_LENGTH));
    const turns = liveTurnsSchema.safeParse(parse(message.slice(ID_LENGTH)));
    if (callId.success && turns.success) options.onTurns(callId.data, turns.data);
    else options.logger.warn({ event: 'queue.signal_rejected' }, 'a turn signal names no turns');
  });
  await options.redis.subscribe(channel);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
