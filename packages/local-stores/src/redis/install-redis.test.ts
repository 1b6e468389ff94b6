import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { fakePrograms, type FakePrograms } from '../testing/fake-programs.ts';
import { installRedis } from './install-redis.ts';

let programs: FakePrograms;
let said: string[];
const announce = (text: string) => void said.push(text);
beforeEach(async () => {
  said = [];
  programs = await fakePrograms();
});

test('root installs with apt-get, and announces it first', async () => {
  actAs(0);
  await programs.add('apt-get', 'exit 0');
  await installRedis(announce);
  expect(said).toEqual([
    'Redis is not on this machine. Installing the package redis-server with `apt-get install -y --no-install-recommends redis-server` …',
  ]);
  expect(await programs.callsOf('apt-get')).toEqual(['install -y --no-install-recommends redis-server']);
});

test('a package that is not found is searched again with fresh package lists', async () => {
  actAs(0);
  await programs.add('apt-get', `case "$1" in update) : > "$0.lists";; esac\n[ -e "$0.lists" ]`);
  await installRedis(announce);
  expect(await programs.callsOf('apt-get')).toEqual([
    'install -y --no-install-recommends redis-server',
    'update',
    'install -y --no-install-recommends redis-server',
  ]);
});

test('a user who may use sudo without a password installs through it', async () => {
  actAs(1000);
  await programs.add('apt-get', 'exit 0');
  await programs.add('sudo', '[ "$1" = -n ] && shift && [ "$1" = true ] || "$@"');
  await installRedis(announce);
  expect(said[0]).toContain('sudo -n apt-get install');
  expect(await programs.callsOf('apt-get')).toEqual(['install -y --no-install-recommends redis-server']);
});

test('a user without sudo gets the one command to run, and nothing is tried', async () => {
  actAs(1000);
  await programs.add('apt-get', 'exit 0');
  await programs.add('sudo', 'exit 1');
  await expect(installRedis(announce)).rejects.toThrow(
    'Redis is not on this machine (installing it requires root, and sudo asks for a password): install Redis 6.2 or later (Debian: `sudo apt-get install -y redis-server`; macOS: `brew install redis`), or set REDIS_URL to your own Redis.',
  );
  expect(said).toEqual([]);
});

test('the error of a failing installer is quoted', async () => {
  actAs(0);
  await programs.add('apt-get', 'echo "E: You do not have enough free space" >&2\nexit 100');
  await expect(installRedis(announce)).rejects.toThrow(
    /apt-get failed: E: You do not have enough free space\): install Redis/,
  );
});

test('a machine without apt-get and brew gets a sentence that says what to install', async () => {
  actAs(0);
  await expect(installRedis(announce)).rejects.toThrow(
    /neither apt-get nor brew is here to install it\): install Redis 6\.2 or later .+, or set REDIS_URL/,
  );
});

function actAs(uid: number): void {
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(uid);
  onTestFinished(() => getuid.mockRestore());
}
