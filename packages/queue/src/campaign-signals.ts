import { pause, systemClock } from '@outdial/kernel';
import { campaignChannel, DEFAULT_QUEUE_PREFIX } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

/** Announces that campaigns have changed, so that workers look at once. They also poll, so a loss is harmless. */
export interface CampaignSignals {
  publish(): void;
}

const LOOK = 'look';
/** Between announcements: an account that adds contacts all the time does not keep every worker looking. */
const GAP_MS = 100;

/** The first change is announced at once, later ones together. While Redis is away, nothing is announced. */
export function createCampaignSignals(options: {
  readonly redis: RedisClient;
  readonly prefix?: string;
}): CampaignSignals {
  const { redis } = options;
  const channel = campaignChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  let isWanted = false;
  let isSending = false;

  async function send(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      // Checked first: a patient connection would keep the announcement until Redis is back, when it is useless.
      if (redis.status === 'ready') await redis.publish(channel, LOOK).catch(() => undefined);
      await pause(systemClock, GAP_MS);
    }
    isSending = false;
  }

  return {
    publish() {
      isWanted = true;
      if (isSending) return;
      isSending = true;
      void send();
    },
  };
}

/** Receives every announcement from now on, also after outages of Redis. `redis` is used for nothing but subscriptions. */
export async function subscribeToCampaignSignals(options: {
  readonly redis: RedisClient;
  readonly prefix?: string;
  readonly onChanged: () => void;
}): Promise<void> {
  const channel = campaignChannel(options.prefix ?? DEFAULT_QUEUE_PREFIX);
  options.redis.on('message', (heardOn) => {
    if (heardOn === channel) options.onChanged();
  });
  await options.redis.subscribe(channel);
}
