import { describeBreakers, describeGate, describeLineGate, newAccountId, newCallId } from '@outdial/calls/testing';
import { createLogger } from '@outdial/kernel';
import { privateRedisCluster, type PrivateRedisCluster } from '@outdial/testkit';
import { Cluster } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openLineGateStage } from '../test/line-gate-stage.ts';
import { assertGateSupport, createDialMarks, createGate, createMonitorPlaces, subscribeToMonitors } from './index.ts';
import { gateKeys } from './keys.ts';

const START_LIMIT_MS = 60_000;
let group: PrivateRedisCluster;
let redis: Cluster;
beforeAll(async () => {
  group = await privateRedisCluster();
  redis = connect();
}, START_LIMIT_MS);
beforeEach(async () => {
  // In this process the nodes are connected to on first use.
  await redis.ping();
  await Promise.all(redis.nodes('master').map((node) => node.flushdb()));
});
afterAll(async () => {
  redis.disconnect();
  await group.close();
}, START_LIMIT_MS);

function connect(): Cluster {
  const nodes = group.primaries.map(({ url }) => new URL(url));
  const password = nodes[0]?.password ?? '';
  return new Cluster(
    nodes.map(({ hostname, port }) => ({ host: hostname, port: Number(port) })),
    { redisOptions: { password } },
  );
}

const marks = () => createDialMarks({ redis });

describeGate('on a cluster', async () => ({
  gate: createGate({ redis }),
  passRebuildTime: async () => void (await redis.hincrby(gateKeys().gate, 'rebuildingSinceMs', -10_001)),
  loseContents: async () => void (await redis.del(gateKeys().gate, gateKeys().holds, gateKeys().accounts)),
  close: async () => undefined,
}));
describeLineGate('on a cluster', () => openLineGateStage(redis));
describeBreakers('on a cluster', () => openLineGateStage(redis));

test('a cluster carries the gate', async () => {
  const warnings = await assertGateSupport(redis);
  expect(warnings.filter((text) => !text.includes('append-only'))).toEqual([]);
});

test('a call is marked once', async () => {
  const callId = newCallId();
  expect([await marks().mark(callId), await marks().mark(callId)]).toEqual([true, false]);
});

test('who listens is announced on every node', async () => {
  const heard: string[] = [];
  const listeners = [connect(), connect(), connect()];
  const logger = createLogger({ name: 'test', level: 'silent' });
  for (const listener of listeners) {
    await subscribeToMonitors({ redis: listener, logger, onMonitored: (callId) => heard.push(callId) });
  }
  const places = createMonitorPlaces({ redis, places: 1 });
  const place = { accountId: newAccountId(), callId: newCallId(), monitor: 'one' };
  expect(await places.take(place)).toBe('taken');
  expect(await places.take({ ...place, monitor: 'two' })).toBe('full');
  await expect.poll(() => heard).toEqual([place.callId, place.callId, place.callId]);
  await places.leave(place);
  for (const listener of listeners) listener.disconnect();
});
