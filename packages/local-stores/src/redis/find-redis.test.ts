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
  await programs.add('docker', 'exit 0');
  expect(await find()).toEqual({ origin: 'path', command });
  await expect(programs.callsOf('docker')).rejects.toThrow('ENOENT');
});

test('a recent Valkey is preferred to a Redis that is too old', async () => {
  await programs.add('redis-server', 'echo "Redis server v=6.0.16 sha=00000000:0"');
  const command = await programs.add('valkey-server', 'echo "Valkey server v=8.1.0 sha=00000000:0"');
  expect(await find()).toEqual({ origin: 'path', command });
});

test('without a server a Docker engine is used, and a missing image is announced and pulled', async () => {
  const command = await programs.add('docker', '[ "$1" != image ]');
  expect(await find()).toEqual({ origin: 'docker', command });
  expect(said).toEqual(['Redis is not on this machine. Fetching the Docker image redis:7.4-alpine …']);
  expect(await programs.callsOf('docker')).toContain('pull --quiet redis:7.4-alpine');
});

test.each([
  ['no engine behind it', 'exit 1'],
  ['no way to the image', '[ "$1" = version ]'],
])('a docker program with %s is skipped for the package manager', async (_, docker) => {
  await programs.add('docker', docker);
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
    'The Redis that was installed is missing or older than 6.2: run `sudo apt-get install -y redis-server`',
  );
});

/** Searches PATH only: this machine may have its own server in the usual folders. */
function find() {
  return findRedis((text) => void said.push(text), []);
}
