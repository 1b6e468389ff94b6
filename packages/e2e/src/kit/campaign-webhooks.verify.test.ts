import { campaignEnvelopeSchema, callListSchema, type CampaignBody } from '@outdial/contracts';
import { Outdial } from '@outdial/sdk';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openProduct, type Product } from '../../test/product.ts';
import { openReceiver, verified, type Receiver } from '../../test/receiver.ts';
import type { SeededAccount } from '../../test/seeds.ts';

let product: Product;
let account: SeededAccount;
beforeAll(async () => {
  product = await openProduct();
});
beforeEach(async () => {
  account = await product.account();
});
afterAll(() => product.close());

async function ask(method: string, path: string, json?: unknown): Promise<unknown> {
  const response = await fetch(`${product.url}/api/v1${path}`, {
    method,
    headers: { 'X-API-Key': account.key, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const body: unknown = await response.json();
  expect([response.ok, body]).toEqual([true, expect.anything()]);
  return body;
}

const campaignIn = (answer: unknown): CampaignBody => campaignEnvelopeSchema.parse(answer).campaign;
const read = async (id: string) => campaignIn(await ask('GET', `/campaigns/${id}`));
const untilState = (id: string, state: CampaignBody['state']) =>
  expect.poll(async () => (await read(id)).state).toBe(state);

/** A draft that calls these test numbers. */
async function draft(digits: readonly string[], settings: object = {}): Promise<string> {
  const { id } = campaignIn(await ask('POST', '/campaigns', { name: 'Walk', agent_id: account.agentId, ...settings }));
  const contacts = digits.map((last) => ({ to_number: `+1${last}`, variables: { name: 'Ada' } }));
  await ask('POST', `/campaigns/${id}/contacts`, { contacts });
  return id;
}

async function receiver(): Promise<Receiver> {
  const opened = await openReceiver();
  onTestFinished(() => opened.close());
  return opened;
}

/** Busy, declines, and a number that is not assigned. */
const QUICK = ['2025550101', '2025550103', '2025550150'];

test('a receiver gets what happens to campaigns, signed and in their order; the URL of their calls gets events of calls alone', async () => {
  const sdk = new Outdial({ apiKey: account.key, baseUrl: product.url, timeoutMs: 60_000 });
  const [hooks, callHooks] = [await receiver(), await receiver()];
  const events = ['campaign.started', 'campaign.paused', 'campaign.resumed', 'campaign.completed'] as const;
  const { secret } = await sdk.webhookEndpoints.create({ url: hooks.url, events: [...events] });
  const steered = await draft(QUICK, { starts_at: new Date(Date.now() + 3_600_000).toISOString() });
  for (const verb of ['start', 'pause']) await ask('POST', `/campaigns/${steered}/${verb}`);
  await ask('PATCH', `/campaigns/${steered}`, { starts_at: null, webhook_url: callHooks.url });
  await ask('POST', `/campaigns/${steered}/resume`);
  const plain = await draft(QUICK);
  await ask('POST', `/campaigns/${plain}/start`);
  await untilState(steered, 'completed');
  await untilState(plain, 'completed');

  // A delivery is made at least once: one whose answer was lost comes again, under its id.
  const received = () => {
    const byId = new Map(hooks.requests.map((request) => [request.headers['webhook-id'], verified(request, secret)]));
    return [...byId.values()].map(({ type, data }) => {
      if (!('campaign' in data)) throw new Error(`it is about a campaign: ${type}`);
      return { type, campaign: data.campaign };
    });
  };
  const typesOf = (id: string) => received().flatMap(({ type, campaign }) => (campaign.id === id ? [type] : []));
  await expect
    .poll(() => typesOf(steered))
    .toEqual(['campaign.paused', 'campaign.resumed', 'campaign.started', 'campaign.completed']);
  await expect.poll(() => typesOf(plain)).toEqual(['campaign.started', 'campaign.completed']);
  for (const { type, campaign } of received())
    if (type === 'campaign.completed') expect(campaign).toEqual(await read(campaign.id));

  const ended = () => callHooks.requests.filter(({ body }) => body.startsWith('{"type":"call.ended"'));
  await expect.poll(() => ended().length).toBe(QUICK.length);
  expect(callHooks.requests.filter(({ body }) => body.includes('"type":"campaign.'))).toEqual([]);
});

test('a cancellation that hangs up ends the open calls, and what was scheduled is never dialed', async () => {
  // They would ring for twelve seconds, ten times as fast as in reality: the cancellation ends them as soon as two ring.
  const ringing = ['2015550102', '2025550102', '2035550102', '2055550102'];
  const id = await draft(ringing, { max_concurrent: 2, ring_timeout_seconds: 120 });
  await ask('POST', `/campaigns/${id}/start`);
  const calls = async () => callListSchema.parse(await ask('GET', `/outbound/calls?campaign_id=${id}`)).calls;
  const inState = async (status: string) => (await calls()).filter((call) => call.status === status);
  await expect.poll(async () => (await inState('ringing')).length).toBe(2);
  await ask('POST', `/campaigns/${id}/cancel`, { hang_up: true });
  await untilState(id, 'cancelled');
  await expect.poll(async () => (await read(id)).progress.open).toBe(0);
  const all = await calls();
  // Only a call that was dialed is hung up.
  const reasons = all.map(({ ended_reason: reason }) => reason);
  expect(reasons.map(String).toSorted()).toEqual(['cancelled', 'cancelled', 'hung_up_by_api', 'hung_up_by_api']);
});
