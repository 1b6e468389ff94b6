import { Redis } from 'ioredis';
import { afterEach, expect, test } from 'vitest';

import { privateRedis } from './private-redis.ts';
import type { PrivateServer } from './private-server.ts';

const opened: PrivateServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

test('a killed Redis comes back at the same URL, empty', async () => {
  const server = await open('fast');
  await ask(server, (redis) => redis.set('key', 'value'));
  await server.kill();
  await expect(ask(server, (redis) => redis.ping())).rejects.toThrow(/ECONNREFUSED|closed/);
  await server.start();
  expect(await ask(server, (redis) => redis.get('key'))).toBeNull();
});

test('a durable Redis comes back with its data', async () => {
  const server = await open('durable');
  await ask(server, (redis) => redis.set('key', 'value'));
  await server.stop();
  await server.start();
  expect(await ask(server, (redis) => redis.get('key'))).toBe('value');
});

test('a paused Redis does not answer, and continues after resume', async () => {
  const server = await open('fast');
  const patient = new Redis(server.url);
  await patient.ping();
  await server.pause();
  const hurried = new Redis(server.url, { commandTimeout: 200 });
  const clients = [patient, hurried];
  for (const redis of clients) redis.on('error', () => {});
  await expect(hurried.ping()).rejects.toThrow('Command timed out');
  await server.resume();
  expect(await patient.ping()).toBe('PONG');
  for (const redis of clients) redis.disconnect();
});

async function open(profile: 'fast' | 'durable'): Promise<PrivateServer> {
  const server = await privateRedis({ profile });
  opened.push(server);
  return server;
}

async function ask<T>(server: PrivateServer, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(server.url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}
