import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTrunkDirectory, createTrunkConditions } from '@outdial/persistence';
import { trunkNameSchema } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAdminDriver, type AdminDriver } from '../testing/admin-driver.ts';

let driver: AdminDriver;
beforeAll(async () => {
  driver = await openAdminDriver();
});
afterAll(() => driver.close());

const SECRET_KEY_HEX = '7a'.repeat(32);
const env = { OUTDIAL_SECRET_KEY: SECRET_KEY_HEX };
const NEEDED = ['--uri', 'sip:trunk.example', '--channels', '30', '--calls-per-second', '5'];
const DEFAULTS = {
  uri: 'sip:trunk.example',
  transport: 'udp',
  outbound_proxy: null,
  username: null,
  channels: 30,
  calls_per_second: 5,
  caller_prefixes: [],
  assert_caller: false,
  number_format: 'e164',
  codecs: ['PCMU', 'PCMA'],
  priority: 10,
  weight: 10,
  enabled: true,
  health_check: 'options',
  media_source: 'sdp_host',
  transfers: 'none',
  health: [],
};

function refuseToOpen(error: Error): never {
  throw error;
}

async function asWorkersSeeIt(trunk: string) {
  const secretKey = Buffer.from(SECRET_KEY_HEX, 'hex');
  const book = createTrunkDirectory(driver.database, { clock: systemClock, secretKey, onError: refuseToOpen });
  return (await book.all()).find(({ name }) => name === trunk);
}

test('a trunk is added with the defaults, shown and listed', async () => {
  const created_at = expect.any(String);
  expect(await driver.json(['trunks', 'add', 'plain', ...NEEDED])).toEqual({
    trunk: { name: 'plain', ...DEFAULTS, created_at },
  });
  expect(await driver.json(['trunks', 'show', 'plain'])).toEqual({ trunk: { name: 'plain', ...DEFAULTS, created_at } });
  expect(await driver.json(['trunks', 'list'])).toMatchObject({
    trunks: expect.arrayContaining([expect.objectContaining({ name: 'plain' })]),
  });
  expect((await driver.run(['trunks', 'list'])).stdout).toContain('sip:trunk.example over udp');
});

test('a trunk is listed with the health that workers report', async () => {
  await driver.json(['trunks', 'add', 'ailing', ...NEEDED]);
  expect((await driver.run(['trunks', 'list'])).stdout).toMatch(/^ailing .* unknown: no worker$/m);
  const conditions = createTrunkConditions(driver.database);
  const trunk = trunkNameSchema.parse('ailing');
  await conditions.save('one', [{ trunk, state: 'up', detail: null }]);
  expect((await driver.run(['trunks', 'list'])).stdout).toMatch(/^ailing .* up$/m);
  await conditions.save('two', [{ trunk, state: 'unreachable', detail: 'no answer to OPTIONS' }]);
  expect((await driver.run(['trunks', 'list'])).stdout).toMatch(/^ailing .* unreachable \(1 of 2 workers\)$/m);
  expect((await driver.run(['trunks', 'show', 'ailing'])).stdout).toMatch(/two +unreachable: no answer to OPTIONS$/m);
  expect(
    await driver.json([
      'trunks',
      'update',
      'ailing',
      '--health-check',
      'none',
      '--media-source',
      'any',
      '--transfers',
      'numbers',
    ]),
  ).toMatchObject({
    trunk: {
      health_check: 'none',
      media_source: 'any',
      transfers: 'numbers',
      health: [
        { worker_id: 'one', state: 'up', detail: null, told_at: expect.any(String) },
        { worker_id: 'two', state: 'unreachable', detail: 'no answer to OPTIONS', told_at: expect.any(String) },
      ],
    },
  });
});

test('a password comes from a file or standard input, works in the worker, and is never shown', async () => {
  const path = join(driver.dataDir, 'password');
  await writeFile(path, 'open sesame\n');
  const flags =
    '--transport tls --outbound-proxy sip:proxy.example:5061 --caller-prefixes 1202,44 --assert-caller yes ' +
    '--number-format digits --codecs pcma --priority 1 --weight 0 --username alice --password-file';
  const full = [...flags.split(' '), path];
  const added = await driver.run(['trunks', 'add', 'full', ...NEEDED, ...full], { env });
  expect(added).toMatchObject({ exitCode: 0, stderr: '' });
  const shown = await driver.run(['trunks', 'show', 'full', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({ trunk: { username: 'alice', codecs: ['PCMA'], weight: 0 } });
  for (const { stdout } of [added, shown]) expect(stdout).not.toContain('sesame');
  expect(await asWorkersSeeIt('full')).toMatchObject({
    credentials: { username: 'alice', password: 'open sesame' },
    callerId: { prefixes: ['1202', '44'], asserted: true },
  });
  const changed = ['trunks', 'update', 'full', '--username', 'bob', '--password-file', '-'];
  expect(await driver.run(changed, { env, stdin: 'new one' })).toMatchObject({ exitCode: 0 });
  expect(await asWorkersSeeIt('full')).toMatchObject({ credentials: { username: 'bob', password: 'new one' } });
});

test('an update changes only the named settings', async () => {
  await driver.json([
    'trunks',
    'add',
    'changed',
    ...NEEDED,
    '--caller-prefixes',
    '44',
    '--outbound-proxy',
    'sip:proxy',
  ]);
  const update = (...flags: string[]) => driver.json(['trunks', 'update', 'changed', ...flags]);
  expect(await update('--channels', '7', '--assert-caller', 'yes')).toMatchObject({
    trunk: { ...DEFAULTS, channels: 7, assert_caller: true, caller_prefixes: ['44'], outbound_proxy: 'sip:proxy' },
  });
  expect(await update('--caller-prefixes', '', '--outbound-proxy', '')).toMatchObject({
    trunk: { ...DEFAULTS, channels: 7, assert_caller: true },
  });
});

test('trunks are disabled, enabled and removed', async () => {
  await driver.json(['trunks', 'add', 'brief', ...NEEDED]);
  expect(await driver.json(['trunks', 'disable', 'brief'])).toMatchObject({ trunk: { enabled: false } });
  expect(await driver.json(['trunks', 'enable', 'brief'])).toMatchObject({ trunk: { enabled: true } });
  expect(await driver.json(['trunks', 'remove', 'brief', '--actor', 'eve'])).toEqual({ trunk: null });
  expect(await driver.run(['trunks', 'show', 'brief'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('There is no trunk brief'),
  });
});

describe('rejected with what to do', () => {
  test.each([
    ['--uri', 'trunk.example', 'sip:trunk.example'],
    ['--uri', 'sip:alice@trunk.example', 'without a user'],
    ['--uri', 'sips:trunk.example', 'such as sip:trunk.example'],
    ['--outbound-proxy', 'proxy.example', 'such as sip:trunk.example'],
    ['--uri', 'sip:trunk.example:99999', 'without a user'],
    ['--uri', 'sip:[::1]', 'must not be an IPv6 address: Outdial dials IPv4 only'],
    ['--outbound-proxy', 'sip:2001:db8::1', 'IPv4 only'],
    ['--media-source', 'everywhere', 'sdp_host or any'],
    ['--transfers', 'all', 'none, numbers or any'],
    ['--transport', 'carrier-pigeon', 'udp, tcp or tls'],
    ['--channels', '0', 'from 1 to 100000'],
    ['--calls-per-second', '1.5', 'from 1 to 1000'],
    ['--caller-prefixes', '+1202', 'without the plus sign'],
    ['--assert-caller', 'maybe', 'yes or no'],
    ['--number-format', 'national', 'digits'],
    ['--codecs', 'opus', 'PCMU, PCMA'],
    ['--codecs', 'PCMU,PCMU', 'PCMU, PCMA'],
    ['--priority', '-1', 'from 0 to 65535'],
  ])('%s %s', async (flag, value, advice) => {
    const { exitCode, stderr } = await driver.run(['trunks', 'add', 'bad', ...NEEDED, `${flag}=${value}`]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(`${flag}: `) });
    expect(stderr).toContain(advice);
  });

  test.each([
    ['a name with capitals', ['add', 'Bad', ...NEEDED], '<name>'],
    ['no channels', ['add', 'bad', '--uri', 'sip:a', '--calls-per-second', '1'], '--channels: is missing'],
    ['a username alone', ['add', 'bad', ...NEEDED, '--username', 'alice'], '--password-file: is missing'],
    ['a password alone', ['add', 'bad', ...NEEDED, '--password-file', '-'], '--username: is missing'],
    ['an empty password', ['add', 'bad', ...NEEDED, '--username', 'a', '--password-file', '-'], 'one line'],
    ['an update of nothing', ['update', 'bad'], 'at least one flag'],
  ])('%s', async (_, args, advice) => {
    expect(await driver.run(['trunks', ...args], { env })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(advice),
    });
  });

  test('a password with no secret key to encrypt it with', async () => {
    const args = ['trunks', 'add', 'bad', ...NEEDED, '--username', 'a', '--password-file', '-'];
    expect(await driver.run(args, { stdin: 'secret' })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('OUTDIAL_SECRET_KEY'),
    });
  });

  test('a second trunk of the same name', async () => {
    await driver.json(['trunks', 'add', 'twice', ...NEEDED]);
    expect(await driver.run(['trunks', 'add', 'twice', ...NEEDED])).toMatchObject({ exitCode: 1 });
  });
});
