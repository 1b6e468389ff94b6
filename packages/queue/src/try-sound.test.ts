import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { tryIdSchema } from '@outdial/contracts';
import { testStores, type TestStores } from '@outdial/testkit';
import type { RedisClient } from './redis-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectForCommands, connectForWaiting } from './connect.ts';
import { createRecorder } from './testing/recorder.ts';
import {
  encodeTrySound,
  parseFromAgent,
  parseFromPerson,
  type FromAgent,
  type FromPerson,
} from './try-sound-messages.ts';
import { createAgentEnd, createPersonEnd, createTrySoundPlaces, TRY_SOUND_LEASE_MS } from './try-sound.ts';

let stores: TestStores;
const connections: RedisClient[] = [];
beforeAll(async () => {
  stores = await testStores();
});
afterAll(async () => {
  for (const redis of connections) redis.disconnect();
  await stores.close();
});

const newTryId = () => tryIdSchema.parse(randomUUID());
const prefix = `{${randomUUID()}}`;
const frames = (count: number) => Uint8Array.from({ length: count * 160 }, (_, nth) => nth % 256);

async function setUp() {
  const [sender, receiver] = [connectForCommands(stores.redisUrl), connectForWaiting(stores.redisUrl)];
  connections.push(sender, receiver);
  sender.on('error', () => undefined);
  await Promise.all([once(sender, 'ready'), once(receiver, 'ready')]);
  return { sender, receiver, prefix };
}

test('each message of both sides arrives as it was sent, and nothing else does', () => {
  const ofPerson: readonly FromPerson[] = [{ kind: 'present' }, { kind: 'sound', ulaw: frames(10) }];
  const ofAgent: readonly FromAgent[] = [
    { kind: 'hears' },
    { kind: 'clear' },
    { kind: 'ended', reason: 'ended_by_user' },
    { kind: 'ended', reason: 'not_started' },
    { kind: 'sound', ulaw: frames(5) },
  ];
  expect(ofPerson.map((message) => parseFromPerson(encodeTrySound(message)))).toEqual(ofPerson);
  expect(ofAgent.map((message) => parseFromAgent(encodeTrySound(message)))).toEqual(ofAgent);
  const bad = [[], [9], [1], [1, ...frames(11)], [1, ...frames(1), 0], [5, 99], [5]].map((bytes) =>
    Uint8Array.from(bytes),
  );
  expect(bad.map((bytes) => [parseFromPerson(bytes), parseFromAgent(bytes)])).toEqual(bad.map(() => [null, null]));
});

test('a person and an agent hear each other, and no other try', async () => {
  const options = await setUp();
  const [person, agent] = [createPersonEnd(options), createAgentEnd(options)];
  const [tryId, other] = [newTryId(), newTryId()];
  const [atAgent, atPerson, atOther] = [
    createRecorder<FromPerson>(),
    createRecorder<FromAgent>(),
    createRecorder<FromPerson>(),
  ];
  const leave = agent.follow(tryId, (message) => atAgent.record(message));
  person.follow(tryId, (message) => atPerson.record(message));
  agent.follow(other, (message) => atOther.record(message));
  await options.receiver.ping();
  person.send(other, { kind: 'present' });
  await atOther.until(1);
  person.send(tryId, { kind: 'sound', ulaw: frames(2) });
  agent.send(tryId, { kind: 'clear' });
  expect(await atAgent.until(1)).toEqual([{ kind: 'sound', ulaw: Buffer.from(frames(2)) }]);
  expect(await atPerson.until(1)).toEqual([{ kind: 'clear' }]);
  leave();
  const [, subscribers] = await options.sender.pubsub('NUMSUB', `${prefix}:try-sound:${tryId}:agent`);
  expect(Number(subscribers)).toBe(0);
});

test('a try that sends more than Redis takes at once loses sound, and takes none of another’s place', async () => {
  const person = createPersonEnd(await setUp());
  const [loud, quiet] = [newTryId(), newTryId()];
  const taken = Array.from({ length: 1_000 }, () => person.send(loud, { kind: 'sound', ulaw: frames(10) }));
  expect(taken.filter(Boolean)).toHaveLength(25);
  expect(person.send(quiet, { kind: 'present' })).toBe(true);
});

test('one of many connections has the sound of a try, until it leaves or its lease is over', async () => {
  const { sender } = await setUp();
  const places = createTrySoundPlaces({ redis: sender, prefix });
  const tryId = newTryId();
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, nth) => places.take(tryId, `c${nth}`)));
  expect(outcomes).toEqual(['taken', ...Array.from({ length: 19 }, () => 'held')]);
  expect(await places.take(tryId, 'c0')).toBe('taken');
  await places.leave(tryId, 'c1');
  expect(await places.take(tryId, 'c2')).toBe('held');
  const leftMs = await sender.pttl(`${prefix}:try-sound:${tryId}:place`);
  expect(leftMs).toBeGreaterThan(TRY_SOUND_LEASE_MS - 2_000);
  expect(leftMs).toBeLessThanOrEqual(TRY_SOUND_LEASE_MS);
  await places.leave(tryId, 'c0');
  expect(await places.take(tryId, 'c2')).toBe('taken');
});
