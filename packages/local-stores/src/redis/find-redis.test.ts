import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { fakePrograms, type FakePrograms } from '../testing/fake-programs.ts';
import { findRedis } from './find-redis.ts';

let programs: FakePrograms;
let said: string[];
beforeEach(async () => {
  said = [];
  programs = await fakePrograms();
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(0);
  onTestFinished(() => getuid.mockRestore());
});

test('a server on PATH is used, and the search ends', async () => {
  const command = await programs.add('redis-server', 'echo "Redis server v=7.0.15 sha=00000000:0"');
  await programs.add('apt-get', 'exit 0');
  expect(await find()).toEqual({ origin: 'path', command });
  await expect(programs.callsOf('apt-get')).rejects.toThrow('ENOENT');
});

test('a recent Valkey is preferred to a Redis that is too old', async () => {
  await programs.add('redis-server', 'echo "Redis server v=6.0.16 sha=00000000:0"');
  const command = await programs.add('valkey-server', 'echo "Valkey server v=8.1.0 sha=00000000:0"');
  expect(await find()).toEqual({ origin: 'path', command });
});

test('without a server one is installed', async () => {
  const redis = '#!/bin/sh\\necho "Redis server v=7.0.15 sha=00000000:0"\\n';
  await programs.add(
    'apt-get',
    `dir="\${0%/*}"; printf '${redis}' > "$dir/redis-server"; /bin/chmod 755 "$dir/redis-server"`,
  );
  expect(await find()).toMatchObject({ origin: 'installed' });
});

test('an installation without a usable server is reported as failed', async () => {
  await programs.add('apt-get', 'exit 0');
  await expect(find()).rejects.toThrow(
    'The Redis that was installed is missing or older than 6.2: install Redis 6.2 or later (Debian: `sudo apt-get install',
  );
});

/** Searches PATH only: this machine may have its own server in the usual folders. */
function find() {
  return findRedis((text) => void said.push(text), []);
}
