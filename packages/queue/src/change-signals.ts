import type { ChangeSignals } from '@outdial/calls';
import { callIdSchema, type CallId } from '@outdial/contracts';
import { pause, systemClock, type Logger } from '@outdial/kernel';
import type { Redis } from 'ioredis';
import { changeChannel, DEFAULT_QUEUE_PREFIX } from './keys.ts';

/** The most ids that one announcement carries. */
const MAX_IDS = 1_000;
/** Between announcements: what changes meanwhile goes together, so that a thousand calls a second cost what fifty do. */
const GAP_MS = 20;

/**
 * Announces calls that have changed: the first at once, then those of the next few milliseconds in one command. While
 * Redis is away they are dropped.
 */
export function createChangeSignals(options: { readonly redis: Redis; readonly prefix?: string }): ChangeSignals {
  const { redis } = options;
  const channel = changeChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  const gathered = new Set<CallId>();
  let isSending = false;

  async function sendAll(): Promise<void> {
    while (gathered.size > 0) {
      const callIds = [...gathered].slice(0, MAX_IDS);
      for (const callId of callIds) gathered.delete(callId);
      // Looked at first: a patient connection would keep what is announced for Redis's return, when nobody needs it.
      if (redis.status === 'ready') await redis.publish(channel, callIds.join(' ')).catch(() => undefined);
      await pause(systemClock, GAP_MS);
    }
    isSending = false;
  }

  return {
    publish(callId) {
      gathered.add(callId);
      if (isSending) return;
      isSending = true;
      setImmediate(() => void sendAll());
    },
  };
}

/**
 * Hears every announcement from now on, also after Redis was away. `redis` is a connection of its own, from
 * `connectForWaiting`: a subscribed one takes no other commands.
 */
export async function subscribeToChangeSignals(options: {
  readonly redis: Redis;
  readonly logger: Logger;
  readonly prefix?: string;
  /** Hears of each announcement once, however many calls it names. */
  readonly onAnnounced?: () => void;
  /** Whether anybody waits to hear of this call. Most are announced to nobody, and are not looked at more closely. */
  readonly isWanted?: (id: string) => boolean;
  readonly onChanged: (callId: CallId) => void;
}): Promise<void> {
  const { isWanted = () => true, onAnnounced = () => {} } = options;
  options.redis.on('message', (_channel, message) => {
    onAnnounced();
    for (const text of message.split(' ')) {
      if (!isWanted(text)) continue;
      const callId = callIdSchema.safeParse(text);
      if (callId.success) options.onChanged(callId.data);
      else options.logger.warn('an announcement of a change names no call');
    }
  });
  await options.redis.subscribe(changeChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX));
}
