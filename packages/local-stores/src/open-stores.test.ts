import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { identifyProcess } from './machine/process-record.ts';
import { openStores, type LocalStores, type OpenStoresOptions } from './open-stores.ts';
import { recordedServers } from './testing/holder-process.ts';
import { readMarks, withPostgres, writeMarks } from './testing/marks.ts';
import { testFolder, usedFolder, type UsedFolder } from './testing/test-folder.ts';

let used: UsedFolder;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

test('data written before a clean stop survives to the next start, at the same URLs', async () => {
  const dataDir = await used.copy();
  const first = await open(dataDir);
  await writeMarks(first);
  await first.close();

  const second = await open(dataDir);
  expect(await readMarks(second)).toEqual({ redis: 'kept', postgres: 'kept' });
  expect([second.redisUrl, second.databaseUrl]).toEqual([first.redisUrl, first.databaseUrl]);
});

test('an unrelated process is not killed when a pid file names it', async () => {
  const dataDir = await used.copy();
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void stranger.kill('SIGKILL'));
  await writeFile(join(dataDir, 'postgres/cluster/postmaster.pid'), `${stranger.pid}\n`);
  await writeFile(join(dataDir, 'redis/redis.pid.json'), JSON.stringify({ pid: stranger.pid, startToken: 'earlier' }));
  await open(dataDir);
  expect(identifyProcess(stranger.pid ?? 0)).toBeDefined();
});

test('a pid file that names another Postgres of this machine does not prevent a start', async () => {
  const [dataDir, otherDir] = [await used.copy(), await used.copy()];
  await open(otherDir);
  const [, other] = recordedServers(otherDir);
  await writeFile(join(dataDir, 'postgres/cluster/postmaster.pid'), `${other?.pid}\n`);
  await open(dataDir);
  expect(recordedServers(otherDir)[1]).toEqual(other);
});

test('a port that another program has taken is replaced by a free one', async () => {
  const dataDir = await used.copy();
  const first = await open(dataDir);
  await writeMarks(first);
  await first.close();
  const occupier = createServer().listen(Number(new URL(first.redisUrl).port), '127.0.0.1');
  onTestFinished(() => void occupier.close());
  await once(occupier, 'listening');
  const second = await open(dataDir);
  expect(second.redisUrl).not.toBe(first.redisUrl);
  expect(await readMarks(second)).toEqual({ redis: 'kept', postgres: 'kept' });
});

test('secrets are readable only by their owner, and the stores reject clients without them', async () => {
  const dataDir = await used.copy();
  const stores = await open(dataDir);
  const files = ['postgres/password', 'redis/password', 'redis/redis.conf'];
  const modes = await Promise.all(files.map(async (file) => (await stat(join(dataDir, file))).mode & 0o777));
  expect(modes).toEqual([0o600, 0o600, 0o600]);
  expect(await firstReply(new URL(stores.redisUrl).port, 'PING\r\n')).toMatch(/^-NOAUTH/);
  const anonymous = { ...stores, databaseUrl: withoutPassword(stores.databaseUrl) };
  await expect(withPostgres(anonymous, (client) => client.query('SELECT 1'))).rejects.toThrow(/password/);
});

test('a reserved port is given up, even one that a store used before, and the data stays', async () => {
  const dataDir = await used.copy();
  const before = await open(dataDir);
  await writeMarks(before);
  await before.close();
  const avoidPorts = [before.redisUrl, before.databaseUrl].map((url) => Number(new URL(url).port));
  const after = await open(dataDir, { avoidPorts });
  for (const url of [after.redisUrl, after.databaseUrl]) expect(avoidPorts).not.toContain(Number(new URL(url).port));
  expect(await readMarks(after)).toEqual({ redis: 'kept', postgres: 'kept' });
});

test('given stores are used as they are, and nothing is started', async () => {
  const dataDir = join(await testFolder(), 'unused');
  const given = { redisUrl: 'redis://127.0.0.1:1/0', databaseUrl: 'postgresql://127.0.0.1:1/none' };
  const stores = await openStores({ dataDir, profile: 'durable', announce: () => {}, ...given });
  expect(stores).toMatchObject({ ...given, origin: { redis: 'given', postgres: 'given' } });
  await stores.close();
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

async function open(dataDir: string, options: Pick<OpenStoresOptions, 'avoidPorts'> = {}): Promise<LocalStores> {
  const stores = await openStores({ dataDir, profile: 'durable', announce: () => {}, ...options });
  onTestFinished(() => stores.close());
  return stores;
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  parsed.password = '';
  return parsed.href;
}

/** The server's first reply to a client that sends `text`. */
async function firstReply(port: string, text: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.setEncoding('utf8').write(text);
  try {
    for await (const reply of socket) return String(reply);
    return '';
  } finally {
    socket.destroy();
  }
}
