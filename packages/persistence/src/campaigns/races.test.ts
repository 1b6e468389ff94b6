import { Prisma } from '../generated/client.ts';
import type { TakenCall } from '@outdial/calls';
import type { CampaignId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { beginTogether } from '../../test/begin-together.ts';
import { beginTurn, campaignsOf, RETRY, running, stock, take } from '../../test/campaigns.ts';
import { claim, createWorld, settlementOf, type Party, type World } from '../../test/world.ts';
import { createCampaignSweepStore } from './sweep-campaigns.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  party = await world.party();
});

const steer = (id: CampaignId, kind: 'pause' | 'cancel') =>
  campaignsOf(world.database, party).changeState(id, { kind });

async function admit({ callId, admitToken }: TakenCall): Promise<string> {
  const { reservationId, token, holdMicros, rate, place } = await world.row(party);
  const row = { callId, admitToken, reservationId, token, holdMicros, rate, conducted: null, place };
  return (await world.schedules.admit(row)).kind;
}

async function takeOne(id: CampaignId): Promise<TakenCall> {
  const turn = await beginTurn(world, party);
  await stock(world, turn, id);
  const [taken] = await take(world, turn, id, 1);
  invariant(taken, 'a call is due');
  return taken;
}

async function count(id: CampaignId, status: string): Promise<number> {
  const [row] = await world.database.side.$queryRaw<{ calls: number }[]>`
    SELECT count(*)::int AS calls FROM calls WHERE campaign_id = ${id}::uuid AND status::text = ${status}`;
  return row?.calls ?? 0;
}

const lockOf = (table: 'campaigns' | 'wallets', id: string) =>
  table === 'campaigns'
    ? Prisma.sql`SELECT FROM campaigns WHERE id = ${id}::uuid FOR NO KEY UPDATE`
    : Prisma.sql`SELECT FROM wallets WHERE account_id = ${id}::uuid FOR NO KEY UPDATE`;

test('a settlement that inserts a retry while its campaign is cancelled leaves nothing scheduled', async () => {
  const id = await running(world, party, { contacts: 1, retry: RETRY });
  const taken = await takeOne(id);
  expect(await admit(taken)).toBe('admitted');
  const call = await claim(world.drives, taken.callId);
  const settlement = {
    ...settlementOf(call, { reason: 'busy' }),
    charge: { billableSeconds: 1, costMicros: call.holdMicros },
  };
  // The settlement has read the campaign as running, and waits for the wallet. The cancellation and a whole sweep pass it.
  const sweep = createCampaignSweepStore(world.database);
  const { hot, side } = world.database;
  const settled = await hot.$transaction(
    async (holder) => {
      await holder.$executeRaw(lockOf('wallets', party.accountId));
      const settling = world.drives.settle(settlement);
      await expect.poll(() => waitingForLocks()).toBe(1);
      expect((await steer(id, 'cancel')).kind).toBe('changed');
      await sweep.endOver({ limit: 500 });
      await sweep.move({ limit: 100 });
      return { settling };
    },
    { timeout: 60_000 },
  );
  await settled.settling;
  expect(await count(id, 'scheduled')).toBe(1);
  expect(await sweep.endOver({ limit: 500 })).toEqual(['cancelled']);
  expect(await count(id, 'scheduled')).toBe(0);
  const [campaign] = await side.$queryRaw<{ state: string }[]>`SELECT state FROM campaigns WHERE id = ${id}::uuid`;
  expect(campaign?.state).toBe('cancelled');
});

test.each(['pause', 'cancel'] as const)(
  'a %s and an admission at once: one comes first, and the admission knows',
  async (kind) => {
    const id = await running(world, party, { contacts: 1 });
    const taken = await takeOne(id);
    const [state, outcome] = await beginTogether<string>(world.database, lockOf('campaigns', id), [
      async () => (await steer(id, kind)).kind,
      () => admit(taken),
    ]);
    expect(state).toBe('changed');
    expect(await count(id, 'queued')).toBe(outcome === 'admitted' ? 1 : 0);
    expect(['admitted', 'gone']).toContain(outcome);
    // From the commit on nothing more is admitted.
    expect(await take(world, await beginTurn(world, party), id)).toEqual([]);
  },
);

test('a turn’s statement that is repeated while the first one still runs takes no more than the pace allows', async () => {
  const id = await running(world, party, { contacts: 30, callsPerSecond: 0.001 });
  const turn = await beginTurn(world, party);
  await stock(world, turn, id);
  await world.database.side.$executeRaw`
    UPDATE campaign_lanes SET pace_tokens = 1, pace_at = clock_timestamp() WHERE campaign_id = ${id}::uuid`;
  const lane = Prisma.sql`SELECT FROM campaign_lanes WHERE campaign_id = ${id}::uuid FOR NO KEY UPDATE`;
  const takes = () => take(world, turn, id, 5);
  const taken = await beginTogether(world.database, lane, [takes, takes]);
  expect(taken.flat()).toHaveLength(1);
});

async function waitingForLocks(): Promise<number> {
  const [row] = await world.database.side.$queryRaw<{ waiting: number }[]>`
    SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return row?.waiting ?? 0;
}
