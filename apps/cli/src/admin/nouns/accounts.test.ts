import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestApiKey } from '@outdial/secrets';
import { createDirectory } from '@outdial/persistence';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openAdminDriver, PEPPER_HEX, UNKNOWN_ID, withId, type AdminDriver } from '../testing/admin-driver.ts';

const SETTINGS = JSON.stringify({ name: 'Reminder', first_message: 'Hello {{name}}.' });

let driver: AdminDriver;
beforeAll(async () => {
  driver = await openAdminDriver();
});
afterAll(() => driver.close());

describe('accounts', () => {
  test('are created with an empty wallet, listed and shown', async () => {
    const id = await driver.createAccount('--currency', 'EUR', '--capacity', '3');
    const account = { id, name: 'Acme', currency: 'EUR', capacity: 3, balance: 0, enabled: true };
    expect(await driver.json(['accounts', 'show', id])).toMatchObject({ account });
    expect(await driver.json(['accounts', 'list'])).toMatchObject({
      accounts: expect.arrayContaining([expect.objectContaining(account)]),
    });
    expect((await driver.run(['accounts', 'show', id])).stdout).toContain('Balance        0.00 EUR\n');
  });

  test('are shown with times that name their zone', async () => {
    const id = await driver.createAccount();
    const zoned = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/m;
    expect((await driver.run(['accounts', 'show', id])).stdout).toMatch(zoned);
    expect((await driver.run(['accounts', 'list'])).stdout).toMatch(zoned);
  });

  test('are disabled and enabled', async () => {
    const id = await driver.createAccount();
    expect((await driver.run(['accounts', 'disable', '--help'])).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'its keys stop working within a second, its queued calls are cancelled, and active calls continue (end them with',
    );
    expect(await driver.json(['accounts', 'disable', id])).toMatchObject({ account: { enabled: false } });
    expect(await driver.json(['accounts', 'enable', id])).toMatchObject({ account: { enabled: true } });
  });
});

describe('keys', () => {
  test('work as soon as they are created, are shown once, and are revoked', async () => {
    const account = await driver.createAccount();
    const created = z
      .object({ key: z.string(), api_key: withId })
      .parse(
        await driver.json([
          'keys',
          'create',
          '--account',
          account,
          '--name',
          'test',
          '--expires-at',
          '2030-01-01T00:00:00Z',
        ]),
      );
    const digest = digestApiKey(created.key, Buffer.from(PEPPER_HEX, 'hex'));
    expect(await createDirectory(driver.database).findKey(digest)).toMatchObject({
      accountId: account,
      revokedAtMs: null,
    });
    expect(JSON.stringify(await driver.json(['keys', 'list', '--account', account]))).not.toContain(created.key);
    expect(await driver.json(['keys', 'revoke', created.api_key.id])).toMatchObject({
      api_key: { name: 'test', revoked_at: expect.any(String), expires_at: '2030-01-01T00:00:00.000Z' },
    });
  });

  test('have the scopes that were asked for, by default outbound', async () => {
    const account = await driver.createAccount();
    const create = (...flags: readonly string[]) => ['keys', 'create', '--account', account, '--name', 'x', ...flags];
    expect(await driver.json(create())).toMatchObject({ api_key: { scopes: ['outbound'] } });
    const both = await driver.json(create('--scope', 'outbound,manage'));
    expect(both).toMatchObject({ api_key: { scopes: ['outbound', 'manage'] } });
    expect(await driver.run(create('--scope', 'admin'))).toMatchObject({
      exitCode: 2,
      stderr: '--scope: must be outbound or manage\n',
    });
  });

  test('with an expiry time in the past are rejected', async () => {
    const account = await driver.createAccount();
    const create = ['keys', 'create', '--account', account, '--name', 'late', '--expires-at', '2020-01-01T00:00:00Z'];
    expect(await driver.run(create)).toMatchObject({
      exitCode: 2,
      stderr: '--expires-at: must be in the future\n',
    });
    expect(await driver.json(['keys', 'list', '--account', account])).toEqual({ api_keys: [] });
  });

  test('are not created without the pepper', async () => {
    const account = await driver.createAccount();
    const refused = await driver.run(['keys', 'create', '--account', account, '--name', 'x'], {
      env: { OUTDIAL_KEY_PEPPER: '' },
    });
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('set OUTDIAL_KEY_PEPPER') });
  });
});

describe('agents', () => {
  test('are created from a file or standard input, get new versions, and are granted', async () => {
    const owner = await driver.createAccount();
    const other = await driver.createAccount();
    const path = join(driver.dataDir, 'agent.json');
    await writeFile(path, SETTINGS);
    const { agent } = z
      .object({ agent: withId })
      .parse(await driver.json(['agents', 'create', '--account', owner, '--settings', path]));
    const update = ['agents', 'update', agent.id, '--settings', '-'];
    expect(await driver.json(update, '{"name":"Second","first_message":"Hi."}')).toMatchObject({
      agent: { version: 2, required_variables: [], settings: { name: 'Second' } },
    });
    await driver.json(['agents', 'grant', agent.id, '--account', other]);
    expect(await driver.json(['agents', 'list', '--account', other])).toMatchObject({ agents: [{ id: agent.id }] });
    await driver.json(['agents', 'ungrant', agent.id, '--account', other]);
    expect(await driver.json(['agents', 'list', '--account', other])).toEqual({ agents: [] });
  });

  test('with invalid JSON are rejected with the line', async () => {
    const account = await driver.createAccount();
    const create = ['agents', 'create', '--account', account, '--settings', '-'];
    const refused = await driver.run(create, { stdin: '{\n  "name": "A",\n  "first_message": "Hi"\n  "lines": []\n}' });
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: 'standard input, line 4, column 3: a comma or a closing bracket is missing here.\n',
    });
  });

  test('with invalid settings are rejected with every field', async () => {
    const account = await driver.createAccount();
    const create = ['agents', 'create', '--account', account, '--settings', '-'];
    const { exitCode, stderr } = await driver.run(create, { stdin: '{"name":"","voice":"bob","first_message":"Hi"}' });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^The agent's settings in standard input cannot be used:\n {2}name: .*\n {2}voice: .*\n$/);
  });
});

describe('numbers', () => {
  test('belong to an account or to the system, and one of them is the default', async () => {
    const account = await driver.createAccount();
    await driver.json(['numbers', 'add', '+12025550171', '--account', account, '--default']);
    await driver.json(['numbers', 'add', '+12025550172', '--account', account]);
    await driver.json(['numbers', 'set-default', '+12025550172', '--account', account]);
    expect(await driver.json(['numbers', 'list', '--account', account])).toMatchObject({
      numbers: [
        { number: '+12025550172', is_default: true },
        { number: '+12025550171', is_default: false },
      ],
    });
    await driver.json(['numbers', 'remove', '+12025550171', '--account', account]);
    await driver.json(['numbers', 'add', '+12025550173', '--system', '--default']);
    expect(await createDirectory(driver.database).systemNumber()).toBe('+12025550173');
  });

  test.each([[[]], [['--system', '--account', UNKNOWN_ID]]])('need exactly one owner, not %j', async (flags) => {
    const wrong = await driver.run(['numbers', 'add', '+12025550174', ...flags]);
    expect(wrong).toMatchObject({ exitCode: 2, stderr: '--account: set either --account <id> or --system\n' });
  });
});
