import { expect, test } from 'vitest';

import { containerName, redisContainerArgs } from './docker.ts';

const args = redisContainerArgs({ serverDir: '/data/one/redis', port: 23456, configFile: 'redis.conf' });

test('a Redis in a container is reachable only from this machine', () => {
  expect(valueOf('--publish')).toBe('127.0.0.1:23456:23456');
});

test('its files keep our account as owner', () => {
  expect(valueOf('--user')).toBe(`${process.getuid?.()}:${process.getgid?.()}`);
  expect(valueOf('--volume')).toBe('/data/one/redis:/data');
  // The image's entrypoint changes their owner when that is root.
  expect(valueOf('--entrypoint')).toBe('redis-server');
});

test('each data folder has its own container, the same at every start', () => {
  expect(valueOf('--name')).toBe(containerName('/data/one/redis'));
  expect(containerName('/data/other/redis')).not.toBe(containerName('/data/one/redis'));
});

test('the password is not among the arguments, which every account can see', () => {
  expect(args.slice(-2)).toEqual(['redis:7.4-alpine', '/data/redis.conf']);
});

function valueOf(option: string): string | undefined {
  return args[args.indexOf(option) + 1];
}
