import { accountIdSchema } from '@outdial/contracts';
import { createWebhookEndpoints } from '@outdial/persistence';
import { parseSecretKey } from '@outdial/secrets';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdminDriver, UNKNOWN_ID, type AdminDriver } from '../testing/admin-driver.ts';

let driver: AdminDriver;
let accountId: string;
let endpointId: string;
beforeAll(async () => {
  driver = await openAdminDriver();
  accountId = await driver.createAccount();
  const secretKey = parseSecretKey('5e'.repeat(32));
  invariant(secretKey !== null, 'the key has 32 bytes');
  const webhooks = createWebhookEndpoints(driver.database, {
    accountId: accountIdSchema.parse(accountId),
    actor: 'test',
  });
  const url = 'https://hooks.customer.com/';
  const settings = { url, events: [], description: '', ratePerSecond: null, maxOfAccount: 20 };
  const { id } = await webhooks.create({ ...settings, secret: 'whsec_c2VjcmV0', secretKey });
  endpointId = id;
  await webhooks.sendTest(id, { type: 'webhook.test', body: '{}' });
});
afterAll(() => driver.close());

test('endpoints are listed, of one account or of all, without their secrets', async () => {
  const listed = { endpoints: [{ id: endpointId, account_id: accountId, state: 'enabled' }] };
  expect(await driver.json(['webhooks', 'list'])).toMatchObject(listed);
  expect(await driver.json(['webhooks', 'list', '--account', accountId])).toMatchObject(listed);
  const { stdout } = await driver.run(['webhooks', 'show', endpointId]);
  expect(stdout).toContain('https://hooks.customer.com/');
  expect(stdout).not.toContain('whsec_');
  const unknown = await driver.run(['webhooks', 'show', UNKNOWN_ID]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('There is no endpoint')]);
});

test('an endpoint’s deliveries are listed', async () => {
  expect(await driver.json(['webhooks', 'deliveries', endpointId])).toMatchObject({
    deliveries: [{ type: 'webhook.test', state: 'pending', attempt_count: 0 }],
  });
});

test('a replay begins once at a time; a disabled endpoint has none', async () => {
  const replay = ['webhooks', 'replay', endpointId, '--since', new Date().toISOString()];
  expect(await driver.json(replay)).toMatchObject({ replay: { state: 'running', only: 'failed_and_missing' } });
  const second = await driver.run(replay);
  expect([second.exitCode, second.stderr]).toEqual([1, expect.stringContaining('under way')]);
  const disabled = await driver.json(['webhooks', 'disable', endpointId, '--actor', 'alice']);
  expect(disabled).toMatchObject({ endpoint: { state: 'disabled', disabled_reason: 'operator' } });
  const third = await driver.run(replay);
  expect([third.exitCode, third.stderr]).toEqual([1, expect.stringContaining('disabled')]);
  expect(await driver.json(['webhooks', 'enable', endpointId])).toMatchObject({ endpoint: { state: 'enabled' } });
});

test('webhooks are paused and resumed, and the actor is shown', async () => {
  expect(await driver.json(['webhooks', 'pause', '--actor', 'alice'])).toMatchObject({
    webhooks: { paused: true, changed_by: 'alice' },
  });
  const { stdout } = await driver.run(['webhooks', 'resume', '--actor', 'bob']);
  expect(stdout).toMatch(/^Webhooks are sent\.\nSince .*Z, by bob\.\n$/);
});
