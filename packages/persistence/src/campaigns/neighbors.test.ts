import { EventEmitter, once } from 'node:events';
import type { CampaignId } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { running, stateOf } from '../../test/campaigns.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { Prisma } from '../generated/client.ts';
import { moveCampaigns } from './move-campaigns.ts';
import { createCampaignSweepStore } from './sweep-campaigns.ts';

let world: World;
let party: Party;
let stranger: Party;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  party = await world.party();
  stranger = await world.party();
});

/** A campaign whose time has come: to start, or to end. */
async function due(of: Party, moment: 'start' | 'end' = 'start'): Promise<CampaignId> {
  const { side } = world.database;
  if (moment === 'end') {
    const id = await running(world, of);
    await side.$executeRaw`UPDATE campaigns SET ends_at = now() - interval '1 second' WHERE id = ${id}::uuid`;
    return id;
  }
  const id = await running(world, of, { startsAtMs: Date.now() + 3_600_000 });
  await side.$executeRaw`UPDATE campaigns SET starts_at = now() - interval '1 second' WHERE id = ${id}::uuid`;
  return id;
}
const move = async () => {
  const moved = await createCampaignSweepStore(world.database).move({ limit: 100 });
  return new Set(moved.map(({ campaignId }) => campaignId));
};

test.each([
  ['campaigns', 'start'],
  ['campaign_lanes', 'start'],
  ['dial_turns', 'start'],
  // A notice of its end names the account.
  ['accounts', 'end'],
] as const)(
  'a stranger who has locked rows of %s keeps no other campaign from its %s, and its own come once they are free',
  async (table, moment) => {
    const theirs = [await due(stranger, moment), await due(stranger, moment), await due(stranger, moment)];
    const ours = [await due(party, moment), await due(party, moment)];
    const { side } = world.database;
    // The turn of an account that has none yet is inserted by its first campaign.
    await side.$executeRaw`
      INSERT INTO dial_turns (account_id, due_at, new_due, held_until)
      SELECT id, now(), now(), '-infinity' FROM accounts WHERE id = ${stranger.accountId}::uuid ON CONFLICT DO NOTHING`;
    const rows = {
      campaigns: Prisma.sql`SELECT FROM campaigns WHERE account_id = ${stranger.accountId}::uuid FOR UPDATE`,
      campaign_lanes: Prisma.sql`SELECT FROM campaign_lanes WHERE campaign_id = ANY (${theirs}::uuid[]) FOR UPDATE`,
      dial_turns: Prisma.sql`SELECT FROM dial_turns WHERE account_id = ${stranger.accountId}::uuid FOR UPDATE`,
      accounts: Prisma.sql`SELECT FROM accounts WHERE id = ${stranger.accountId}::uuid FOR UPDATE`,
    };
    await side.$transaction(async (transaction) => {
      await transaction.$executeRaw(rows[table]);
      expect(await move()).toEqual(new Set(ours));
    });
    const next = moment === 'start' ? 'running' : 'completed';
    for (const id of ours) expect((await stateOf(world, party, id)).state).toBe(next);
    expect(await move()).toEqual(new Set(theirs));
  },
);

test('a campaign that is locked only when the sweep meets it starts in the same sweep', async () => {
  const id = await due(party);
  const { side } = world.database;
  const events = new EventEmitter();
  const locked = once(events, 'locked');
  const met = once(events, 'met');
  const locking = side.$transaction(async (transaction) => {
    await transaction.$executeRaw`SELECT FROM campaign_lanes WHERE campaign_id = ${id}::uuid FOR UPDATE`;
    events.emit('locked');
    await met;
  });
  await locked;
  const meeting = new Proxy(side, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (key !== '$queryRaw' || typeof method !== 'function') return method;
      return async (...statement: readonly unknown[]) => {
        const rows: unknown = await Reflect.apply(method, target, statement);
        events.emit('met');
        await locking;
        return rows;
      };
    },
  });
  expect(await moveCampaigns({ side: meeting }, 100)).toMatchObject([{ campaignId: id, state: 'running' }]);
});
