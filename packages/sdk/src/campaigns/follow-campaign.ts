import { isPassing, PATIENCE_MS } from '../calls/timeline.ts';
import type { Clock } from '../clock.ts';
import type { RequestOptions } from '../http/api.ts';
import type { Campaign } from '../types.ts';

export interface FollowCampaignOptions extends RequestOptions {
  /** Between two looks, in milliseconds. Default: 2 s. */
  readonly everyMs?: number;
}

export interface FollowingCampaign {
  readonly clock: Clock;
  readonly random: () => number;
  readonly read: (campaignId: string, options: RequestOptions) => Promise<Campaign>;
}

const EVERY_MS = 2_000;

/**
 * The campaign as it is now, then every two seconds, and last of all once it is completed or cancelled.
 *
 * @throws OutdialError if the service does not answer for five minutes
 */
export async function* followCampaign(
  { clock, random, read }: FollowingCampaign,
  campaignId: string,
  { signal, everyMs = EVERY_MS }: FollowCampaignOptions,
): AsyncGenerator<Campaign, void, undefined> {
  for (let heardAtMs = clock.nowMs(); ;) {
    try {
      const campaign = await read(campaignId, { signal });
      heardAtMs = clock.nowMs();
      yield campaign;
      if (isOver(campaign)) return;
    } catch (error) {
      if (!isPassing(error) || clock.nowMs() - heardAtMs > PATIENCE_MS) throw error;
    }
    await clock.sleep(everyMs * (0.75 + random() / 2), signal);
  }
}

/** Whether it has an end, after which nothing of it changes. */
function isOver({ state }: Campaign): boolean {
  return state === 'completed' || state === 'cancelled';
}
