import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Outdial, type WebhookDelivery } from '@outdial/sdk';
import { freePort, serviceArgs } from '@outdial/testkit';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { openProduct, type Product } from '../../test/product.ts';
import { openReceiver, verified, type Receiver } from '../../test/receiver.ts';
import { runProgram } from '../../test/run-program.ts';
import type { SeededAccount } from '../../test/seeds.ts';

let product: Product;
let account: SeededAccount;
let outdial: Outdial;
let receiver: Receiver;
let dir: string;
beforeAll(async () => {
  product = await openProduct();
});
beforeEach(async () => {
  account = await product.account();
  outdial = new Outdial({ apiKey: account.key, baseUrl: product.url, timeoutMs: 60_000 });
  receiver = await openReceiver();
  dir = await mkdtemp(join(tmpdir(), 'outdial-listen-'));
  return async () => {
    await receiver.close();
    await rm(dir, { recursive: true });
  };
});
afterAll(() => product.close());

function start(args: readonly string[], key = account.key) {
  const env = { OUTDIAL_API_KEY: key, OUTDIAL_BASE_URL: product.url, XDG_CONFIG_HOME: dir };
  const program = runProgram([...serviceArgs('apps/client/src/main.ts'), 'listen', ...args], { env });
  onTestFinished(async () => {
    program.interrupt();
    await program.ended;
  });
  return program;
}

/** A listener as a process, which prints JSON. */
async function listen(forwardTo: string, events: readonly string[]) {
  const program = start(['--json', '--forward-to', forwardTo, '--events', ...events]);
  await program.printed(/\n/);
  const lines = () =>
    program
      .stdout()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const [{ listener, secret }] = lines();
  return { program, id: String(listener.id), secret: String(secret), forwarded: () => lines().slice(1) };
}

const place = () =>
  outdial.calls.create({ to_number: '+12025550100', agent_id: account.agentId, variables: { name: 'Ada' } });
async function deliveriesOf(id: string): Promise<readonly WebhookDelivery[]> {
  return (await outdial.webhookEndpoints.deliveries(id).page()).items;
}

it('forwards signed webhooks unchanged, in the order of the call, and goes on after the API has restarted; 130: interrupted', async () => {
  const { program, id, secret, forwarded } = await listen(receiver.url, ['call.answered', 'call.ended']);
  const call = await place();
  await call.wait();
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBe(2);
  const events = receiver.requests.map((request) => verified(request, secret));
  expect(events.map(({ type }) => type)).toEqual(['call.answered', 'call.ended']);
  const result = { call_id: call.id, attempt: 1, status: 204, error: null, duration_ms: expect.any(Number) };
  await expect
    .poll(forwarded)
    .toMatchObject([
      { forwarded: { type: 'call.answered', ...result } },
      { forwarded: { type: 'call.ended', ...result } },
    ]);
  const [first] = receiver.requests;
  const { message } = await outdial.webhookMessages.get(forwarded()[0].forwarded.message_id);
  expect(first).toMatchObject({
    body: message.body,
    headers: {
      'webhook-id': `msg_${message.id}`,
      'outdial-version': '2026-12-01',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Outdial-Webhooks\//),
    },
  });
  await expect
    .poll(async () => (await deliveriesOf(id)).map(({ state, last_status: status }) => [state, status]))
    .toEqual([
      ['delivered', 204],
      ['delivered', 204],
    ]);

  await product.stopApi();
  await product.startApi();
  const next = await place();
  await next.wait();
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBe(4);
  expect(receiver.requests.slice(2).map((request) => verified(request, secret).type)).toEqual([
    'call.answered',
    'call.ended',
  ]);
  program.interrupt();
  expect(await program.ended).toMatchObject({ code: 130, stderr: '' });
  const ended = { message_id: message.id, attempt: 1, status: 204, error: null, duration_ms: 1 };
  await expect(outdial.webhookListeners.report(id, ended)).rejects.toMatchObject({
    code: 'webhook_listener_not_found',
  });
});

it('prints what the receiver answered, or why it did not, and the log says the same', async () => {
  receiver.status = 500;
  const program = start(['--forward-to', receiver.url, '--events', 'call.queued']);
  await program.printed(
    /^call\.queued of your account go to http:\/\/127\.0\.0\.1:\d+\/hooks\nSecret .*: whsec_\S+\n$/,
  );
  const rejected = await place();
  await program.printed(new RegExp(`\\d\\d:\\d\\d:\\d\\d  call\\.queued  ${rejected.id}  500  \\d+ ms\\n`));
  await receiver.close();
  const refused = await place();
  await program.printed(new RegExp(`call\\.queued  ${refused.id}  connect  \\d+ ms\\n`));
  program.interrupt();
  expect((await program.ended).code).toBe(130);
});

it('1: a listener that was ended, and a key without the scope; 2: a wrong command line', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}/`;
  const { program, id } = await listen(nowhere, ['call.ended']);
  await outdial.webhookListeners.delete(id);
  const ended = await program.ended;
  expect([ended.code, JSON.parse(ended.stderr)]).toEqual([
    1,
    { error: { message: expect.stringContaining('Run the command again') } },
  ]);
  const { key } = await product.account({ scopes: ['outbound'] });
  const refused = await start(['--forward-to', nowhere, '--json'], key).ended;
  expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([1, { error: { code: 'scope_missing' } }]);
  for (const [args, sentence] of [
    [[], /--forward-to <url>/],
    [['--forward-to', 'localhost:3000'], /must be a URL/],
    [['--forward-to', nowhere, '--events', 'call.over'], /Allowed choices are call\.scheduled/],
  ] as const) {
    expect(await start(args).ended).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) });
  }
});
