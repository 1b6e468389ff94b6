import { randomUUID } from 'node:crypto';
import {
  agentIdSchema,
  CAMPAIGN_LIMITS,
  CAMPAIGN_STATES,
  campaignIdSchema,
  e164Schema,
  type CampaignState,
} from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditOf } from '../../test/audit.ts';
import { campaignsOf, contactsFrom, draft, inState, PLAN, running, stateOf } from '../../test/campaigns.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import type { OwnCampaigns } from '../own-account/own-campaigns.ts';
import { campaignSettings } from '../seeding/index.ts';
import { createCampaignSweepStore } from './sweep-campaigns.ts';

let world: World;
let party: Party;
let campaigns: OwnCampaigns;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  party = await world.party();
  campaigns = campaignsOf(world.database, party);
});

type Wish = 'start' | 'pause' | 'resume' | 'cancel';
const wish = (kind: Wish) => (kind === 'start' ? { kind, plan: PLAN } : { kind });

/** The state after a wish; null: it is refused; the same: it is so already. */
const TABLE: Readonly<Record<Wish, Readonly<Record<CampaignState, CampaignState | null>>>> = {
  start: {
    draft: 'running',
    scheduled: 'scheduled',
    running: 'running',
    paused: null,
    cancelling: null,
    cancelled: null,
    completed: null,
  },
  pause: {
    draft: null,
    scheduled: 'paused',
    running: 'paused',
    paused: 'paused',
    cancelling: null,
    cancelled: null,
    completed: null,
  },
  resume: {
    draft: null,
    scheduled: 'scheduled',
    running: 'running',
    paused: 'running',
    cancelling: null,
    cancelled: null,
    completed: null,
  },
  cancel: {
    draft: 'cancelling',
    scheduled: 'cancelling',
    running: 'cancelling',
    paused: 'cancelling',
    cancelling: 'cancelling',
    cancelled: 'cancelled',
    completed: null,
  },
};

const CASES = (['start', 'pause', 'resume', 'cancel'] as const).flatMap((kind) =>
  CAMPAIGN_STATES.map((state) => ({ kind, state, next: TABLE[kind][state] })),
);

test.each(CASES)('$kind of a campaign that is $state: $next', async ({ kind, state, next }) => {
  const id = await inState(world, party, state);
  const outcome = await campaigns.changeState(id, wish(kind));
  if (next === null) expect(outcome).toEqual({ kind: 'campaign_state', state });
  else expect(outcome).toEqual({ kind: next === state ? 'unchanged' : 'changed', state: next });
  expect((await stateOf(world, party, id)).state).toBe(next ?? state);
});

test.each(CAMPAIGN_STATES)('contacts are added to a campaign that is %s, unless it is over', async (state) => {
  const id = await inState(world, party, state);
  const isOver = state === 'cancelling' || state === 'cancelled' || state === 'completed';
  expect(await campaigns.addContacts(id, contactsFrom(4))).toMatchObject(
    isOver ? { kind: 'campaign_state', state } : { kind: 'added', upload: { number: 2, rows: 4, accepted: 1 } },
  );
});

describe('a start', () => {
  test('needs an accepted contact, and no upload under way', async () => {
    const id = await draft(world, party, { contacts: 0 });
    expect(await campaigns.changeState(id, wish('start'))).toEqual({ kind: 'campaign_empty' });
    await world.database.side.$executeRaw`
      INSERT INTO campaign_uploads (campaign_id, number, state) VALUES (${id}::uuid, 1, 'receiving')`;
    expect(await campaigns.changeState(id, wish('start'))).toEqual({ kind: 'upload_in_progress' });
    expect(await campaigns.addContacts(id, contactsFrom(1))).toEqual({ kind: 'upload_in_progress' });
  });

  test('keeps what its calls have in common, is audited, and makes the account due', async () => {
    const id = await running(world, party);
    expect(await stateOf(world, party, id)).toMatchObject({
      state: 'running',
      ...PLAN,
      startedAtMs: expect.any(Number),
    });
    const actions = (await auditOf(world.database, id)).map(({ actor, action }) => [actor, action]);
    expect(actions).toEqual([
      ['user:kim', 'campaign.create'],
      ['user:kim', 'campaign.add_contacts'],
      ['user:kim', 'campaign.start'],
    ]);
    const turns = await world.schedules.beginTurns({ workerId: 'w', limit: 100 });
    const turn = turns.find(({ accountId }) => accountId === party.accountId);
    expect(turn?.campaigns).toMatchObject([{ campaignId: id, contactsLeft: 3 }]);
  });

  test('starts at once do not pass the bound of running campaigns together', async () => {
    const ids = await Promise.all(Array.from({ length: CAMPAIGN_LIMITS.running + 2 }, () => draft(world, party)));
    const outcomes = await Promise.all(ids.map((id) => campaigns.changeState(id, wish('start'))));
    const refused = outcomes.filter(({ kind }) => kind === 'too_many_campaigns');
    expect(refused).toEqual([1, 2].map(() => ({ kind: 'too_many_campaigns', limit: CAMPAIGN_LIMITS.running })));
  });

  test('ahead of its time is scheduled, and the sweep begins it then', async () => {
    const id = await running(world, party, { startsAtMs: Date.now() + 3_600_000 });
    const sweep = createCampaignSweepStore(world.database);
    await sweep.move({ limit: 100 });
    expect(await stateOf(world, party, id)).toMatchObject({ state: 'scheduled', startedAtMs: null });
    await world.database.side.$executeRaw`
      UPDATE campaigns SET starts_at = clock_timestamp() WHERE id = ${id}::uuid`;
    expect(await sweep.move({ limit: 100 })).toContainEqual({
      campaignId: id,
      accountId: party.accountId,
      state: 'running',
    });
  });
});

describe('an update', () => {
  test('changes what it names, is audited, and is refused in other states', async () => {
    const id = await draft(world, party, { budgetMicros: 5_000_000n });
    const change = { name: 'Winter', budgetMicros: null, metadata: { b: 1, a: 2 }, endsAtMs: 4_000_000_000_000 };
    expect(await campaigns.update(id, { change, states: ['draft'] })).toEqual({ kind: 'updated' });
    expect(await stateOf(world, party, id)).toMatchObject({ ...change, weight: 10 });
    expect(Object.keys((await stateOf(world, party, id)).metadata)).toEqual(['b', 'a']);
    expect(await campaigns.update(id, { change, states: ['paused'] })).toEqual({
      kind: 'campaign_state',
      state: 'draft',
    });
    expect(await auditOf(world.database, id)).toContainEqual(
      expect.objectContaining({ action: 'campaign.update', data: expect.objectContaining({ name: 'Winter' }) }),
    );
  });
});

describe('a campaign of another account', () => {
  test('is neither found, listed, changed nor given contacts', async () => {
    const id = await running(world, party);
    const other = campaignsOf(world.database, await world.party());
    expect(await other.find(id)).toBeNull();
    expect(await other.page({ after: null, limit: 10 })).toEqual({ campaigns: [], hasMore: false });
    expect(await other.update(id, { change: { name: 'x' }, states: ['running'] })).toEqual({ kind: 'not_found' });
    for (const kind of ['start', 'pause', 'resume', 'cancel'] as const)
      expect(await other.changeState(id, wish(kind))).toEqual({ kind: 'not_found' });
    expect(await other.addContacts(id, contactsFrom(1))).toEqual({ kind: 'not_found' });
    expect(await stateOf(world, party, id)).toMatchObject({ state: 'running', contacts: 3 });
  });
});

test('campaigns are listed newest first, in pages that go on where the one before ended', async () => {
  const ids = [];
  for (let at = 0; at < 5; at += 1) {
    const id = await draft(world, party, { contacts: 0 });
    // Two may be created in one millisecond.
    await world.database.side.$executeRaw`
      UPDATE campaigns SET created_at = now() + ${at}::int * interval '1 minute' WHERE id = ${id}::uuid`;
    ids.unshift(id);
  }
  const first = await campaigns.page({ after: null, limit: 3 });
  const second = await campaigns.page({ after: first.campaigns.at(-1) ?? null, limit: 3 });
  expect([...first.campaigns, ...second.campaigns].map(({ id }) => id)).toEqual(ids);
  expect([first.hasMore, second.hasMore]).toEqual([true, false]);
});

test('an account may have a bounded number of campaigns', async () => {
  await world.database.side.$executeRaw`
    INSERT INTO campaigns (id, account_id, name, state, agent_id, columns, created_by)
    SELECT gen_random_uuid(), ${party.accountId}::uuid, 'x', 'draft', ${party.agentId}::uuid, '{}', 'x'
    FROM generate_series(1, ${CAMPAIGN_LIMITS.campaigns}::int)`;
  expect(await campaigns.create(campaignIdSchema.parse(randomUUID()), campaignSettings(party.agentId))).toEqual({
    kind: 'too_many_campaigns',
    limit: CAMPAIGN_LIMITS.campaigns,
  });
});

test('a draft whose agent was changed while it was planned does not start with the version of another agent', async () => {
  const id = await draft(world, party);
  const madeOf = campaignSettings(party.agentId);
  const start = (of: typeof madeOf) => campaigns.changeState(id, { kind: 'start', plan: PLAN, madeOf: of });
  const change = { callerNumber: e164Schema.parse('+12025550177') };
  await campaigns.update(id, { change: { agentId: agentIdSchema.parse(randomUUID()) }, states: ['draft'] });
  expect(await start(madeOf)).toEqual({ kind: 'campaign_state', state: 'draft' });
  await campaigns.update(id, { change: { agentId: party.agentId, ...change }, states: ['draft'] });
  expect(await start(madeOf)).toEqual({ kind: 'campaign_state', state: 'draft' });
  expect(await start({ ...madeOf, ...change })).toEqual({ kind: 'changed', state: 'running' });
});
