import { systemClock } from '@outdial/kernel';
import { connectForCommands, type RedisClient } from '@outdial/queue';
import { privateRedisCluster, type PrivateRedisCluster } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createThrottle } from '../src/dashboard/throttle.ts';
import { createRateLimit } from '../src/http/rate-limit.ts';

let group: PrivateRedisCluster;
/** Two processes. */
let processes: readonly RedisClient[];
beforeAll(async () => {
  group = await privateRedisCluster();
  processes = [connectForCommands(group.url), connectForCommands(group.url)];
  await Promise.all(processes.map((redis) => new Promise<void>((resolve) => redis.once('ready', () => resolve()))));
}, 60_000);
afterAll(async () => {
  for (const redis of processes) redis.disconnect();
  await group.close();
}, 60_000);

const passed = async (attempts: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled').length;

test('requests of many senders are counted over all processes, whichever node has the count', async () => {
  const limits = processes.map((redis) =>
    createRateLimit({ redis, clock: systemClock, requestsPerSecond: 5, windowSeconds: 60 }),
  );
  // Enough senders for every node.
  for (const id of Array.from({ length: 12 }, (_, index) => `sender-${index}`)) {
    const sender = { id, requestsPerSecond: null };
    expect(await passed(limits.flatMap((limit) => Array.from({ length: 5 }, () => limit(sender))))).toBe(5);
  }
});

test('attempts are counted over all processes, and forgotten after one that succeeded', async () => {
  const limits = { name: 'test', windowSeconds: 900, maxOfSubject: 3, maxOfAddress: 100 };
  const throttles = processes.map((redis) => createThrottle(redis, limits));
  for (const subject of ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']) {
    const attempt = { subject, address: '192.0.2.1' };
    const begin = () => throttles.map((throttle) => throttle.begin(attempt));
    const begun = await Promise.all(begin());
    expect(await passed([...begin(), ...begin()])).toBe(1);
    await Promise.all(begun.map((succeeded) => succeeded()));
    expect(await passed(begin())).toBe(2);
  }
});
