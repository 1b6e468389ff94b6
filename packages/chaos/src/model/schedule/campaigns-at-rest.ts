import type { CampaignId } from '@outdial/contracts';
import type { CampaignWish } from '@outdial/persistence';
import { settle } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import { MOVABLE } from './campaigns.ts';
import { PROCESS_ACTS } from './processes.ts';

/** What one call holds is less. */
const TOP_UPS = 3;

/** So that campaigns that wait for funds go on. */
export async function payCampaigns(world: World): Promise<void> {
  if (world.profile.campaigns === null) return;
  for (let count = 0; count < TOP_UPS * world.parties.length; count += 1) await PROCESS_ACTS.top_up(world, 64 * count);
}

/** Campaigns that are paused go on, or are cancelled: every other one, and those that have used up their budget. Hours open. */
export async function goOnOrCancel(world: World): Promise<void> {
  const [api] = world.apis;
  for (const { id, state, budget, isClosed } of world.campaigns.views) {
    const campaign = world.campaigns.all.find((known) => known.id === id);
    if (!api || !campaign) continue;
    if (isClosed)
      void api
        .campaignsOf(campaign.party.accountId)
        .campaigns.update(id, { change: { window: null }, states: MOVABLE })
        .catch(() => undefined);
    if (state !== 'paused') continue;
    const wish: CampaignWish = budget === null && isEven(id) ? { kind: 'resume' } : { kind: 'cancel' };
    void api
      .campaignsOf(campaign.party.accountId)
      .campaigns.changeState(id, wish)
      .catch(() => undefined);
  }
  await settle();
}

function isEven(id: CampaignId): boolean {
  return Number.parseInt(id.slice(-1), 16) % 2 === 0;
}
