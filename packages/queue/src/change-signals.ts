import type { ChangeSignals } from '@outdial/calls';
import { callIdSchema, type CallId } from '@outdial/contracts';
import { pause, systemClock, type Logger } from '@outdial/kernel';
import { changeChannel, DEFAULT_QUEUE_PREFIX } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

/** The maximum number of ids per announcement. */
const MAX_IDS = 1_000;
/** Between announcements: changes in between are sent together, so that a thousand calls a second cost what fifty do. */
const GAP_MS = 20;

/**
 * Announces calls that have changed: the first at once, then those of the next few milliseconds in one command. While
 * Redis is away, announcements are dropped.
 */
export function createChangeSignals(options: { readonly redis: RedisClient; readonly prefix?: string }): ChangeSignals {
  const { redis } = options;
  const channel = changeChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  const gathered = new Set<CallId>();
  let isSending = false;

  async function sendAll(): Promise<void> {
    while (gathered.size > 0) {
      const callIds = [...gathered].slice(0, MAX_IDS);
      for (const callId of callIds) gathered.delete(callId);
      // Checked first: a patient connection would keep the announcement until Redis is back, when it is useless.
      if (redis.status === 'ready') await redis.publish(channel, callIds.join(' ')).catch(() => undefined);
      await pause(systemClock, GAP_MS);
    }
    isSending = false;
  }

  return {
    publish(callIds) {
      for (const callId of callIds) gathered.add(callId);
      if (isSending || gathered.size === 0) return;
      isSending = true;
      setImmediate(() => void sendAll());
    },
  };
}

/**
 * Receives every announcement from now on, also after outages of Redis. `redis` is a separate connection from
 * `connectForWaiting`: a subscribed connection takes no other commands. It may carry other subscriptions.
 */
export async function subscribeToChangeSignals(options: {
  readonly redis: RedisClient;
  readonly logger: Logger;
  readonly prefix?: string;
  /** Called once per announcement, however many calls it names. */
  readonly onAnnounced?: () => void;
  /** Whether this call is of interest. Most announced calls are not, and are skipped without parsing. */
  readonly isWanted?: (id: string) => boolean;
  readonly onChanged: (callId: CallId) => void;
}): Promise<void> {
  const { isWanted = () => true, onAnnounced = () => {} } = options;
  const channel = changeChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  options.redis.on('message', (from, message) => {
    if (from !== channel) return;
    onAnnounced();
    for (const text of message.split(' ')) {
      if (!isWanted(text)) continue;
      const callId = callIdSchema.safeParse(text);
      if (callId.success) options.onChanged(callId.data);
      else options.logger.warn({ event: 'queue.signal_rejected' }, 'a change signal names no call');
    }
  });
  await options.redis.subscribe(channel);
}
