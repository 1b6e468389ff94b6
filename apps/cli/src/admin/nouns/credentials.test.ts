import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { accountIdSchema, credentialIdSchema, secretNameSchema } from '@outdial/contracts';
import { createCredentialSource } from '@outdial/persistence';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openAdminDriver, UNKNOWN_ID, withId, type AdminDriver } from '../testing/admin-driver.ts';

const SECRET_KEY = randomBytes(32);
const CANARY = 'sk-canary-93af1c07be';
let status = 200;
let authorization: string | undefined;
const provider = createServer((request, response) => {
  authorization = request.headers.authorization;
  response.writeHead(status).end(JSON.stringify({ error: `Incorrect API key provided: ${CANARY}` }));
});

let driver: AdminDriver;
let baseUrl: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  driver = await openAdminDriver();
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const address = provider.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  env = { OUTDIAL_SECRET_KEY: SECRET_KEY.toString('hex'), OUTDIAL_EGRESS_ALLOW: '127.0.0.0/8', KEY: CANARY };
});
afterAll(async () => {
  await driver.close();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

const credentialEnvelope = z.object({ credential: withId });
const run = (args: readonly string[], changes: NodeJS.ProcessEnv = {}) =>
  driver.run(args, { env: { ...env, ...changes } });

async function json(args: readonly string[], changes?: NodeJS.ProcessEnv): Promise<unknown> {
  const result = await run([...args, '--json'], changes);
  expect(result).toMatchObject({ exitCode: 0, stderr: '' });
  expect(result.stdout).not.toContain('canary');
  return JSON.parse(result.stdout);
}
const add = async (name: string, ...flags: readonly string[]) =>
  credentialEnvelope.parse(await json(['credentials', 'add', 'openai', '--name', name, '--from-env', 'KEY', ...flags]))
    .credential.id;
const source = () =>
  createCredentialSource(driver.database, {
    secretKey: SECRET_KEY,
    onUnreadable(error) {
      throw error;
    },
  });

const limits = (maxCalls: number | null, starts: number | null) => ({
  credential: { max_concurrent_calls: maxCalls, starts_per_second: starts },
});

describe('the operator’s credentials', () => {
  test('are added with limits, listed and opened for every account', async () => {
    const flags = ['--max-calls', '8', '--starts-per-second', '2', '--limits-group', 'project-a', '--region', 'eu'];
    const id = await add('main', ...flags);
    expect(await json(['credentials', 'list'])).toMatchObject({
      credentials: [{ id, account_id: null, name: 'main', max_concurrent_calls: 8, limits_group: 'project-a' }],
    });
    const account = accountIdSchema.parse(await driver.createAccount());
    expect(await source().open(account, credentialIdSchema.parse(id))).toMatchObject({ apiKey: CANARY, region: 'eu' });
    expect(await json(['credentials', 'list', '--account', account])).toEqual({ credentials: [] });
    expect((await run(['credentials', 'list'])).stdout).toMatch(/openai +main +07be/);
    expect(await json(['credentials', 'list'])).toMatchObject({ credentials: [{ breakers: [] }] });
  });

  test('are checked at an address of the operator’s network, and no output quotes the key', async () => {
    const id = await add('near', '--base-url', baseUrl);
    const check = () => json(['credentials', 'check', id, '--model', 'gpt-9']);
    status = 200;
    expect(await check()).toMatchObject({ check: { result: 'ok' }, credential: { check_result: 'ok' } });
    expect(authorization).toBe(`Bearer ${CANARY}`);
    status = 401;
    expect(await check()).toMatchObject({ check: { result: 'rejected' }, credential: { check_result: 'rejected' } });
    status = 404;
    expect(await check()).toMatchObject({ check: { result: 'no_such_model' } });
    const refused = await run(['credentials', 'check', id], { OUTDIAL_EGRESS_ALLOW: '' });
    expect(refused.stdout).toMatch(/^unreachable: /);
  });

  test('have limits that are changed and restored, one without the other', async () => {
    const id = await add('limited', '--max-calls', '8');
    const update = (...flags: string[]) => json(['credentials', 'update', id, ...flags]);
    expect(await update('--starts-per-second', '5')).toMatchObject(limits(8, 5));
    expect(await update('--max-calls', '40')).toMatchObject(limits(40, 5));
    expect(await update('--max-calls', 'default')).toMatchObject(limits(null, 5));
    for (const flags of [[], ['--max-calls', '0'], ['--starts-per-second', 'many']]) {
      expect((await run(['credentials', 'update', id, ...flags])).exitCode).toBe(2);
    }
  });

  test('of a local server need its address alone', async () => {
    const added = await json(['credentials', 'add', 'local', '--base-url', baseUrl]);
    const { id } = credentialEnvelope.parse(added).credential;
    expect(added).toMatchObject({ credential: { provider: 'local', name: 'local', shown_suffix: '' } });
    const account = accountIdSchema.parse(await driver.createAccount());
    expect(await source().open(account, credentialIdSchema.parse(id))).toMatchObject({ apiKey: 'no-key', baseUrl });
    status = 404;
    expect(await json(['credentials', 'check', id])).toMatchObject({ check: { result: 'ok' } });
    const keyed = ['--name', 'gpu', '--from-env', 'KEY', '--base-url', baseUrl, '--max-calls', '4'];
    const other = credentialEnvelope.parse(await json(['credentials', 'add', 'local', ...keyed])).credential.id;
    expect(await source().open(account, credentialIdSchema.parse(other))).toMatchObject({ apiKey: CANARY });
  });

  test('are rotated and removed by their id', async () => {
    const id = await add('spare');
    await json(['credentials', 'rotate', id, '--from-env', 'KEY'], { KEY: 'sk-rotated-0123456789' });
    const account = accountIdSchema.parse(await driver.createAccount());
    const opened = await source().open(account, credentialIdSchema.parse(id));
    expect(opened?.apiKey).toBe('sk-rotated-0123456789');
    await json(['credentials', 'remove', id]);
    const again = await run(['credentials', 'remove', id]);
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The operator has no credential') });
  });
});

test('an account’s credential is not the operator’s, and may lead to the public internet alone', async () => {
  const account = await driver.createAccount();
  const id = await add('main', '--account', account);
  expect(await json(['credentials', 'list', '--account', account])).toMatchObject({ credentials: [{ id }] });
  expect((await run(['credentials', 'remove', id])).exitCode).toBe(1);
  const add2 = [
    'credentials',
    'add',
    'openai_compatible',
    '--name',
    'local',
    '--from-env',
    'KEY',
    '--base-url',
    baseUrl,
  ];
  expect(await run([...add2, '--account', account])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^--base-url: must /),
  });
});

test.each([
  [['acme', '--name', 'x', '--from-env', 'KEY'], 2, '<provider>: must be one of openai'],
  [['openai', '--from-env', 'KEY'], 2, '--name: is missing'],
  [['openai', '--name', 'x'], 2, '--from-env: is missing'],
  [['openai', '--name', 'x', '--from-env', 'NOT_SET'], 2, 'NOT_SET is not set'],
  [['openai', '--name', 'x', '--from-env', 'SPACED'], 2, '--from-env: the key in SPACED must contain only'],
  [['openai_compatible', '--name', 'x', '--from-env', 'KEY'], 2, '--base-url: is required'],
  [['local'], 2, '--base-url: is required'],
  [['local', '--base-url', 'http://10.0.0.1:8000/v1'], 2, 'OUTDIAL_EGRESS_ALLOW'],
  [['cartesia', '--name', 'x', '--from-env', 'KEY', '--region', 'eu'], 2, '--region: must be left out'],
  [['openai', '--name', 'x', '--from-env', 'KEY', '--base-url', 'http://10.0.0.1/v1'], 2, 'OUTDIAL_EGRESS_ALLOW'],
  [['openai', '--name', 'x', '--from-env', 'KEY', '--account', UNKNOWN_ID], 1, 'There is no account'],
])('credentials add %j exits with %d and says why', async (args, exitCode, message) => {
  const result = await run(['credentials', 'add', ...args], { SPACED: 'canary key' });
  expect(result).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
  expect(result.stderr).not.toContain('canary');
});

test('a secret is set for an account, listed by its name and removed', async () => {
  const account = await driver.createAccount();
  const of = ['--account', account];
  await json(['secrets', 'set', 'CRM_TOKEN', ...of, '--from-env', 'KEY']);
  expect(await json(['secrets', 'list', ...of])).toMatchObject({ secrets: [{ name: 'CRM_TOKEN' }] });
  const name = secretNameSchema.parse('CRM_TOKEN');
  expect((await source().openSecrets(accountIdSchema.parse(account), [name])).get(name)).toBe(CANARY);
  await json(['secrets', 'remove', 'CRM_TOKEN', ...of]);
  expect((await run(['secrets', 'remove', 'CRM_TOKEN', ...of])).exitCode).toBe(1);
});
