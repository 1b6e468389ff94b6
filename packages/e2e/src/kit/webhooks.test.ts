import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Outdial, type WebhookEvent } from '@outdial/sdk';
import { freePort, serviceArgs } from '@outdial/testkit';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { openProduct, type Product } from '../../test/product.ts';
import { openReceiver, verified } from '../../test/receiver.ts';
import { runProgram } from '../../test/run-program.ts';
import type { SeededAccount } from '../../test/seeds.ts';

let product: Product;
let account: SeededAccount;
let dir: string;
beforeAll(async () => {
  product = await openProduct();
});
beforeEach(async () => {
  account = await product.account();
  dir = await mkdtemp(join(tmpdir(), 'outdial-webhooks-'));
  return () => rm(dir, { recursive: true });
});
afterAll(() => product.close());

async function outdial(args: readonly string[]) {
  const env = { OUTDIAL_API_KEY: account.key, OUTDIAL_BASE_URL: product.url, XDG_CONFIG_HOME: dir };
  const ended = await runProgram([...serviceArgs('apps/client/src/main.ts'), ...args], { env }).ended;
  expect(ended.stdout + ended.stderr).not.toContain(account.key);
  return ended;
}

/** The one document that a command with `--json` prints. */
async function json(args: readonly string[]) {
  const { code, stdout, stderr } = await outdial([...args, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

/** An example of the SDK, as a customer's program, which writes to a path. */
async function startExample(name: string, path: string, options: { readonly port: number; readonly secret: string }) {
  const flags = ['--conditions=@outdial/source', '--import=tsx', `packages/sdk/examples/${name}.ts`];
  const env = { OUTDIAL_WEBHOOK_SECRET: options.secret };
  const receiver = runProgram([...flags, path, String(options.port)], { env });
  onTestFinished(async () => {
    receiver.interrupt();
    await receiver.ended;
  });
  await receiver.printed(/^Listening/);
}

async function startReceiver(port: number, secret: string) {
  const path = join(dir, 'webhooks.jsonl');
  await startExample('receive-webhooks', path, { port, secret });
  const lines = async () => (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return { received: async () => (await lines()).map((line) => JSON.parse(line)) };
}

it('the commands add an endpoint and send to it, and the example of the SDK keeps each message once', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hooks`;
  const { endpoint, secret } = await json(['webhooks', 'create', url, '--event', 'call.ended', 'call.analyzed']);
  expect(endpoint).toMatchObject({ url, events: ['call.ended', 'call.analyzed'] });
  const { received } = await startReceiver(port, secret);
  const listed = await outdial(['webhooks', 'list']);
  expect(listed.stdout).toMatch(
    new RegExp(`^ID .*\\n${endpoint.id} +enabled +0 +call\\.ended, call\\.analyzed +${url}\\n$`),
  );
  expect(listed.stdout).not.toContain(secret);

  const { message } = await json(['webhooks', 'test', endpoint.id]);
  const event = { type: 'webhook.test', test: true, data: {} };
  await expect.poll(received).toMatchObject([{ id: `msg_${message.id}`, event }]);
  const again = await json(['webhooks', 'resend', message.id, '--endpoint', endpoint.id]);
  expect(again).toMatchObject({ delivery: { message_id: message.id, endpoint_id: endpoint.id } });
  const deliveries = () => json(['webhooks', 'deliveries', endpoint.id, '--state', 'delivered']);
  await expect.poll(deliveries).toMatchObject({ deliveries: [{ message_id: message.id, attempt_count: 2 }] });
  expect(await received()).toHaveLength(1);
  const shown = await outdial(['webhooks', 'deliveries', endpoint.id, '--limit', '1']);
  expect(shown.stdout).toMatch(new RegExp(`^CREATED .*\\n\\S+ +${message.id} +webhook\\.test +delivered +2 +204\\n$`));

  const forged = await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-id': 'msg_forged' } });
  expect(forged.status).toBe(401);
  const large = await fetch(url, { method: 'POST', body: 'x'.repeat(300_000) });
  expect(large.status).toBe(413);
  expect(await received()).toHaveLength(1);
});

it('the example with Express keeps each message once, and only what was signed', async () => {
  const [port, folder] = [await freePort(), join(dir, 'webhooks')];
  const url = `http://127.0.0.1:${port}/hooks`;
  const { endpoint, secret } = await json(['webhooks', 'create', url, '--event', 'call.ended']);
  await startExample('receive-with-express', folder, { port, secret });
  const { message } = await json(['webhooks', 'test', endpoint.id, '--type', 'call.ended']);
  const sent = () => json(['webhooks', 'deliveries', endpoint.id, '--state', 'delivered']);
  await expect.poll(sent).toMatchObject({ deliveries: [{ message_id: message.id, attempt_count: 1 }] });
  await json(['webhooks', 'resend', message.id, '--endpoint', endpoint.id]);
  await expect.poll(sent).toMatchObject({ deliveries: [{ message_id: message.id, attempt_count: 2 }] });
  const forged = { method: 'POST', body: '{}', headers: { 'webhook-id': 'msg_forged' } };
  expect((await fetch(url, forged)).status).toBe(401);
  expect((await fetch(url, { method: 'POST', body: 'x'.repeat(300_000) })).status).toBe(413);
  expect(await readdir(folder)).toEqual([`msg_${message.id}.json`]);
  const kept = JSON.parse(await readFile(join(folder, `msg_${message.id}.json`), 'utf8'));
  expect(kept).toMatchObject({ type: 'call.ended', test: true });
});

/** The facts of a webhook about a call. */
function factsOf(event: WebhookEvent) {
  if (!('call' in event.data)) throw new Error('it is about a call');
  const { event: entry, call } = event.data;
  return { type: event.type, eventId: BigInt(entry.id), callId: call.id, status: call.status };
}

it('the URL of a call receives its events, signed and in their order', async () => {
  const sdk = new Outdial({ apiKey: account.key, baseUrl: product.url, timeoutMs: 60_000 });
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const { secret } = await sdk.webhookEndpoints.perCallSecret.make();
  const call = await sdk.calls.create({
    to_number: '+12025550100',
    agent_id: account.agentId,
    variables: { name: 'Ada' },
    webhook_url: receiver.url,
  });
  expect((await call.wait()).webhook_url).toBe(receiver.url);
  const received = () => receiver.requests.map((request) => factsOf(verified(request, secret)));
  await expect.poll(() => received().map(({ type }) => type), { timeout: 30_000 }).toContain('call.ended');
  const facts = received();
  expect(facts.map(({ type }) => type).slice(0, 4)).toEqual([
    'call.queued',
    'call.dialing',
    'call.ringing',
    'call.answered',
  ]);
  expect(facts.filter(({ type }) => type === 'call.ended')).toMatchObject([{ status: 'ended' }]);
  const ids = facts.map(({ eventId }) => eventId);
  expect(ids).toEqual(ids.toSorted((one, other) => (one < other ? -1 : 1)));
  expect(new Set(facts.map(({ callId }) => callId))).toEqual(new Set([call.id]));
  const messageIds = receiver.requests.map(({ headers }) => headers['webhook-id']);
  expect(new Set(messageIds).size).toBe(messageIds.length);
});

it('a replay is started with its time, its types and what it sends', async () => {
  const create = () => json(['webhooks', 'create', 'http://127.0.0.1:1/', '--description', 'Our CRM']);
  const [{ endpoint }, { endpoint: other }] = [await create(), await create()];
  expect(endpoint).toMatchObject({ events: [], description: 'Our CRM' });
  const since = new Date().toISOString();
  const chosen = ['--since', since, '--only', 'missing', '--event', 'call.ended'];
  const { replay } = await json(['webhooks', 'replay', endpoint.id, ...chosen]);
  expect(replay).toMatchObject({ endpoint_id: endpoint.id, since, only: 'missing', events: ['call.ended'] });
  const { code, stdout } = await outdial(['webhooks', 'replay', other.id, '--since', since]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Replay [0-9a-f-]{36} runs\. /)]);
});

it('a refused command is 1, and a wrong command line is 2', async () => {
  const [nobody, since] = [crypto.randomUUID(), '2026-12-04T10:00:00Z'];
  const refused = await outdial(['webhooks', 'test', nobody, '--json']);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'webhook_endpoint_not_found' } });
  for (const [args, sentence] of [
    [['create'], /missing required argument 'url'/],
    [['create', 'https://example.com/', '--event', 'call.over'], /Allowed choices are call\.scheduled/],
    [['resend', nobody], /--endpoint <id>/],
    [['replay', nobody], /--since <time>/],
    [['replay', nobody, '--since', since, '--only', 'some'], /Allowed choices are failed/],
    [['deliveries', nobody, '--state', 'lost'], /Allowed choices are pending/],
  ] as const) {
    const { code, stdout, stderr } = await outdial(['webhooks', ...args]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(sentence)]);
  }
});
