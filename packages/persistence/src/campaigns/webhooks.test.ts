import type { CampaignId, WebhookType } from '@outdial/contracts';
import type { SecretKey } from '@outdial/secrets';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { campaignsOf, draft, PLAN, running } from '../../test/campaigns.ts';
import { attemptOf, claimAll, deliveriesTo, plantEndpoint, RETRY_LATER, ringing } from '../../test/webhooks.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import type { OwnCampaigns } from '../own-account/own-campaigns.ts';
import { createWebhookEndpoints } from '../webhooks/webhook-endpoints.ts';
import { createWebhookStore } from '../webhooks/webhook-store.ts';
import { createCampaignSweepStore } from './sweep-campaigns.ts';

let world: World;
let store: ReturnType<typeof createWebhookStore>;
let party: Party;
let campaigns: OwnCampaigns;
beforeAll(async () => {
  world = await createWorld();
  store = createWebhookStore(world.database, { workerId: 'worker-1' });
});
beforeEach(async () => {
  // Claims and moves are over all accounts: each test begins with nothing pending and nothing to move.
  await world.database.side.$executeRaw`DELETE FROM webhook_deliveries`;
  await world.database.side.$executeRaw`
    UPDATE campaigns SET state = 'cancelled', ended_at = clock_timestamp() WHERE state NOT IN ('cancelled', 'completed')`;
  await world.database.side.$executeRaw`UPDATE webhook_endpoints SET state = 'disabled', disabled_at = now(),
    disabled_reason = 'owner' WHERE state = 'enabled'`;
  party = await world.party();
  campaigns = campaignsOf(world.database, party);
});
afterAll(() => world.close());

const own = () => createWebhookEndpoints(world.database, { accountId: party.accountId, actor: 'user:ada' });
const change = (id: CampaignId, kind: 'pause' | 'resume' | 'cancel') => campaigns.changeState(id, { kind });
const start = (id: CampaignId) => campaigns.changeState(id, { kind: 'start', plan: PLAN });
const move = () => createCampaignSweepStore(world.database).move({ limit: 100 });
const typesAt = async (endpoint: Awaited<ReturnType<typeof plantEndpoint>>) =>
  (await deliveriesTo(world.database, endpoint)).map(({ type }) => type);

/** Its calls are over: nothing is left. */
async function finish(id: CampaignId): Promise<void> {
  await world.database.side.$executeRaw`
    UPDATE campaign_lanes SET cursor_upload = 1, cursor_line = 1000, passed = 3 WHERE campaign_id = ${id}::uuid`;
  await move();
}

async function setAhead(id: CampaignId, ms: number): Promise<void> {
  await world.database.side.$executeRaw`
    UPDATE campaigns SET starts_at = clock_timestamp() + ${ms}::int * interval '1 millisecond' WHERE id = ${id}::uuid`;
}

describe('a change of a campaign’s state is announced by the statement that makes it', () => {
  test('in the order of its life, to endpoints and listeners that want it, and to no URL of a call', async () => {
    const all = await plantEndpoint(world.database, party.accountId);
    const some = await plantEndpoint(world.database, party.accountId, { events: ['campaign.completed', 'call.ended'] });
    const listener = await plantEndpoint(world.database, party.accountId, { kind: 'listener' });
    const others = await Promise.all([
      plantEndpoint(world.database, party.accountId, { kind: 'per_call' }),
      plantEndpoint(world.database, party.accountId, { events: ['call.ended'] }),
      plantEndpoint(world.database, party.accountId, { kind: 'listener', expiresInMs: -1_000 }),
      plantEndpoint(world.database, (await world.party()).accountId),
    ]);
    const id = await running(world, party, { webhookUrl: 'https://receiver.example/calls' });
    await change(id, 'pause');
    await change(id, 'pause');
    await change(id, 'resume');
    await finish(id);
    const life = ['campaign.started', 'campaign.paused', 'campaign.resumed', 'campaign.completed'];
    expect(await typesAt(all)).toEqual(life);
    expect(await typesAt(listener)).toEqual(life);
    expect(await typesAt(some)).toEqual(['campaign.completed']);
    for (const other of others) expect(await typesAt(other)).toEqual([]);
  });

  test.each<[string, (id: CampaignId) => Promise<unknown>, readonly WebhookType[]]>([
    [
      'a draft that is cancelled',
      async (id) => {
        await change(id, 'cancel');
        await move();
      },
      ['campaign.cancelled'],
    ],
    [
      'one that waits for its time, starts, and is cancelled',
      async (id) => {
        await setAhead(id, 3_600_000);
        await start(id);
        await setAhead(id, -1_000);
        await move();
        await change(id, 'cancel');
        await move();
      },
      ['campaign.started', 'campaign.cancelled'],
    ],
    [
      'one that is paused before its time, and resumed after it: it starts once',
      async (id) => {
        await setAhead(id, 3_600_000);
        await start(id);
        await change(id, 'pause');
        await change(id, 'resume');
        await change(id, 'pause');
        await setAhead(id, -1_000);
        await change(id, 'resume');
        await change(id, 'pause');
        await change(id, 'resume');
      },
      [
        'campaign.paused',
        'campaign.resumed',
        'campaign.paused',
        'campaign.resumed',
        'campaign.started',
        'campaign.paused',
        'campaign.resumed',
      ],
    ],
  ])('%s', async (_name, steer, types) => {
    const endpoint = await plantEndpoint(world.database, party.accountId);
    await steer(await draft(world, party));
    expect(await typesAt(endpoint)).toEqual(types);
  });

  test('a change that is refused, or that is so already, announces nothing', async () => {
    const endpoint = await plantEndpoint(world.database, party.accountId);
    const id = await draft(world, party, { contacts: 0 });
    expect(await start(id)).toEqual({ kind: 'campaign_empty' });
    await change(id, 'pause');
    await move();
    await campaigns.update(id, { change: { name: 'Winter' }, states: ['draft'] });
    expect(await typesAt(endpoint)).toEqual([]);
  });

  test('an endpoint that another transaction has locked delays nothing', async () => {
    const endpoint = await plantEndpoint(world.database, party.accountId);
    const id = await draft(world, party);
    await world.database.side.$transaction(
      async (transaction) => {
        await transaction.$queryRaw`SELECT id FROM webhook_endpoints WHERE id = ${endpoint}::uuid FOR UPDATE`;
        expect(await start(id)).toMatchObject({ kind: 'changed' });
      },
      { timeout: 60_000 },
    );
    expect(await typesAt(endpoint)).toEqual(['campaign.started']);
  });
});

describe('the order of a campaign’s webhooks', () => {
  test('one waits for an earlier one of its campaign, and not for those of another campaign or a call', async () => {
    await plantEndpoint(world.database, party.accountId);
    const id = await running(world, party);
    await change(id, 'pause');
    await running(world, party);
    await ringing(world, party);
    const first = await claimAll(store);
    expect(first.map(({ type }) => type).toSorted()).toEqual(['call.queued', 'campaign.started', 'campaign.started']);
    for (const delivery of first) await store.finish(attemptOf(delivery));
    expect((await claimAll(store)).map(({ type }) => type).toSorted()).toEqual(['call.dialing', 'campaign.paused']);
  });

  test('a later one has the time of its predecessor’s next try, and is due once that is delivered', async () => {
    const endpoint = await plantEndpoint(world.database, party.accountId);
    const id = await running(world, party);
    await change(id, 'pause');
    const [started] = await claimAll(store);
    if (!started) throw new Error('one is claimed');
    await store.finish(attemptOf(started, RETRY_LATER));
    const dues = (await deliveriesTo(world.database, endpoint)).map(({ dueInMs }) => Math.round(dueInMs / 60_000));
    expect(dues).toEqual([5, 5]);
    await store.finish(attemptOf({ ...started }));
    expect((await claimAll(store)).map(({ type }) => type)).toEqual(['campaign.paused']);
  });
});

test('a body is formed of the campaign as it is: never older than what happened', async () => {
  await plantEndpoint(world.database, party.accountId);
  const id = await running(world, party);
  await change(id, 'pause');
  const [started] = await claimAll(store);
  if (!started) throw new Error('one is claimed');
  const [facts] = await store.factsOf([started.messageId]);
  expect(facts).toMatchObject({
    type: 'campaign.started',
    occurredAtMs: started.occurredAtMs,
    campaign: { id, state: 'paused', contacts: 3, passed: 0 },
  });
});

describe('what is over is sent again', () => {
  const secretKey: SecretKey = Buffer.alloc(32, 7);
  const endpointFor = (events: readonly WebhookType[]) =>
    own().create({
      secret: 'whsec_one',
      secretKey,
      url: 'https://receiver.example/hooks',
      events,
      description: '',
      ratePerSecond: null,
      maxOfAccount: 20,
    });
  const replay = async (endpointId: Awaited<ReturnType<typeof endpointFor>>['id']) => {
    const made = await own().createReplay({ endpointId, sinceMs: Date.now() - 3_600_000, only: 'failed_and_missing' });
    if (made?.kind !== 'running') throw new Error('it runs');
    await world.database.side.$executeRaw`
      UPDATE webhook_replays SET created_at = created_at - interval '2 minutes' WHERE id = ${made.replay.id}::uuid`;
    while (await store.advanceReplays());
  };

  test('a replay makes what an endpoint never had, beside events of calls, in their order, and no neighbor’s', async () => {
    const id = await running(world, party);
    await ringing(world, party);
    await change(id, 'pause');
    await running(world, await world.party());
    const all = await endpointFor([]);
    const paused = await endpointFor(['campaign.paused']);
    await replay(all.id);
    await replay(paused.id);
    const life = ['campaign.started', 'call.queued', 'call.dialing', 'call.ringing', 'campaign.paused'];
    expect(await typesAt(all.id)).toEqual(life);
    expect(await typesAt(paused.id)).toEqual(['campaign.paused']);
    const messages = await Promise.all([all.id, paused.id].map((to) => deliveriesTo(world.database, to)));
    expect(messages[1]?.[0]?.messageId).toBe(messages[0]?.at(-1)?.messageId);
    await replay(all.id);
    expect(await typesAt(all.id)).toEqual(life);
  });

  test('a resend names the campaign, and waits for nothing', async () => {
    const { id: endpointId } = await endpointFor([]);
    const id = await running(world, party);
    await change(id, 'pause');
    const page = await own().deliveries({ endpointId, limit: 1 });
    const messageId = page.deliveries[0]?.messageId;
    if (messageId === undefined) throw new Error('there is one');
    expect(await own().resend({ messageId, endpointId })).toMatchObject({
      kind: 'due',
      delivery: { campaignId: id, callId: null, type: 'campaign.paused' },
    });
    expect((await claimAll(store)).map(({ type }) => type).toSorted()).toEqual(['campaign.paused', 'campaign.started']);
  });
});
