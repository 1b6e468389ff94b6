import { rm } from 'node:fs/promises';
import { freePort } from '@outdial/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataFolderAt } from '../instance/data-folder.ts';
import { writeInstance } from '../instance/instance-file.ts';
import { openAdminDriver, UNKNOWN_ID, type AdminDriver } from './testing/admin-driver.ts';

let driver: AdminDriver;
beforeAll(async () => {
  driver = await openAdminDriver();
});
afterAll(() => driver.close());

describe('a command that fails', () => {
  test.each([
    [['accounts', 'show', UNKNOWN_ID], 1, 'There is no account'],
    [['keys', 'list', '--account', UNKNOWN_ID], 1, 'There is no account'],
    [['calls', 'show', UNKNOWN_ID], 1, 'There is no call'],
    [['calls', 'end', UNKNOWN_ID], 1, 'There is no call'],
    [['rates', 'show', '--currency', 'XXX'], 1, 'There are no rates in XXX'],
    [['rates', 'import', '/no/such/file.csv'], 1, 'there is no such file'],
    [['accounts', 'show', 'x'], 2, '<account-id>: must be a UUID'],
    [['accounts', 'show'], 2, "missing required argument 'account-id'"],
    [['accounts', 'create'], 2, '--name: is missing'],
    [['accounts', 'create', '--name', '\u200B'], 2, '--name: must contain a visible character'],
    [
      ['accounts', 'create', '--name', 'A\u202E'],
      2,
      '--name: must not contain characters that change the text direction',
    ],
    [['accounts', 'create', '--name', 'A', '--currency', 'usd'], 2, '--currency: must be a three-letter currency code'],
    [['accounts', 'create', '--name', 'A', '--capacity', '-1'], 2, '--capacity: must be a whole number'],
    [['accounts', 'create', '--nmae', 'A'], 2, "unknown option '--nmae'"],
    [['accounts', 'list', 'extra'], 2, 'too many arguments'],
    [['accounts'], 2, 'Usage: npm run admin -- accounts'],
    [['acounts', 'list'], 2, "unknown command 'acounts'"],
    [[], 2, 'Usage: npm run admin --'],
    [['numbers', 'add', "+1'--", '--system'], 2, '<number>: must be an E.164'],
    [['calls', 'list', '--account', UNKNOWN_ID, '--status', 'over'], 2, '--status: '],
  ])('%j exits with %d and says why', async (args, exitCode, message) => {
    expect(await driver.run(args)).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
  });

  test('reports its error as JSON with --json', async () => {
    const { stderr } = await driver.run(['accounts', 'show', UNKNOWN_ID, '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'account_not_found', param: 'account_id' } });
  });

  test('shows control characters escaped, on both streams', async () => {
    const stored = '"\u0007\u007F\u009B2J\u0085';
    const id = await driver.createAccount();
    await driver.database.side.account.update({ where: { id }, data: { name: stored } });
    const shown = await driver.run(['accounts', 'show', id, '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ account: { name: stored } });
    const listed = await driver.run(['accounts', 'list']);
    const refused = await driver.run(['acc\u009B2Jounts\u001B[2J']);
    expect(refused.stderr).toContain('acc\\u009b2Jounts\\u001b[2J');
    for (const text of [shown.stdout, listed.stdout, refused.stderr]) expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  test('reports a missing Postgres in one sentence', async () => {
    const away = await driver.run(['accounts', 'list'], { env: { DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/x' } });
    expect(away).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^Postgres does not answer: .*\n$/) });
  });
});

describe('the administered product', () => {
  test('is the running one without any URL', async () => {
    const urls = {
      base_url: 'http://127.0.0.1:3000/api/v1',
      database_url: driver.databaseUrl,
      redis_url: driver.redisUrl,
    };
    await writeInstance(dataFolderAt(driver.dataDir).instancePath, { pid: process.pid, ...urls });
    expect(await driver.run(['accounts', 'list'], { env: { DATABASE_URL: '', REDIS_URL: '' } })).toMatchObject({
      exitCode: 0,
    });
    await rm(dataFolderAt(driver.dataDir).instancePath);
    expect(await driver.run(['accounts', 'list'], { env: { DATABASE_URL: '', REDIS_URL: '' } })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('run `npm start`'),
    });
  });

  test('is not guessed from one URL alone', async () => {
    expect(await driver.run(['accounts', 'list'], { env: { DATABASE_URL: '' } })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('set both'),
    });
  });
});

describe('every change', () => {
  test('is audited with its actor', async () => {
    const id = await driver.createAccount('--actor', 'ada');
    const second = await driver.createAccount();
    expect(await driver.actorOf(id)).toBe('ada');
    expect(await driver.actorOf(second)).toMatch(/^os:./);
  });
});

describe('help', () => {
  const NOUNS = [
    'accounts',
    'keys',
    'agents',
    'numbers',
    'rates',
    'model-rates',
    'destinations',
    'wallet',
    'capacity',
    'calls',
    'credentials',
    'secrets',
  ];

  test('names every noun and the verbs of each', async () => {
    const { exitCode, stdout } = await driver.run(['--help'], { env: { DATABASE_URL: '' } });
    expect(exitCode).toBe(0);
    for (const noun of NOUNS) expect(stdout).toMatch(new RegExp(`^ {2}${noun} `, 'm'));
  });

  test.each(NOUNS)('of every verb of %s shows its flags and examples without connecting to a store', async (noun) => {
    const list = (await driver.run([noun, '--help'])).stdout;
    const verbs = [...list.slice(list.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+) /gm)].map(
      (match) => match[1] ?? '',
    );
    expect(verbs.length).toBeGreaterThan(0);
    for (const verb of verbs) {
      const help = await driver.run([noun, verb, '--help'], { env: { DATABASE_URL: '', REDIS_URL: 'x' } });
      expect(help.exitCode).toBe(0);
      expect(help.stdout).toContain(`Examples:\n  npm run admin -- ${noun} ${verb}`);
      expect(help.stdout).toContain('--json');
    }
  });
});

test('a list of Postgres hosts leads past one that is gone, to write and to read', async () => {
  const listed = driver.databaseUrl.replace(/@([^/]+)\//, `@127.0.0.1:${await freePort()},$1/`);
  expect(listed).toMatch(/@127\.0\.0\.1:\d+,[^,]+:\d+\//);
  const env = { DATABASE_URL: listed };
  const said = { exitCode: 0, stderr: '', stdout: expect.stringContaining('Listed') };
  expect(await driver.run(['accounts', 'create', '--name', 'Listed'], { env })).toEqual(said);
  expect(await driver.run(['accounts', 'list'], { env })).toEqual(said);
});
