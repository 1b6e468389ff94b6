import { invariant } from '@outdial/kernel';
import type { PrivateServer } from '@outdial/testkit';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { connectTo } from './redis-kinds.ts';

/** CLUSTER SLOTS: the first and the last slot of a range, then its primary and replicas. */
const slotsSchema = z.array(
  z.tuple([z.number(), z.number(), z.tuple([z.string(), z.number(), z.string()], z.unknown())], z.unknown()),
);
const KEYS_AT_ONCE = 100;
const MIGRATE_TIMEOUT_MS = 5_000;

/** The node that has the key, by what the first of these says. */
export async function ownerOf(nodes: readonly PrivateServer[], key: string): Promise<PrivateServer> {
  const [asked] = nodes;
  invariant(asked !== undefined, 'a cluster has nodes');
  return withClient(asked, async (redis) => {
    const slot = await redis.cluster('KEYSLOT', key);
    const ranges = slotsSchema.parse(await redis.cluster('SLOTS'));
    const range = ranges.find(([from, to]) => from <= slot && slot <= to);
    const owner = nodes.find(({ url }) => new URL(url).port === String(range?.[2][1]));
    if (owner === undefined) throw new Error('the owner of the slot is none of these nodes');
    return owner;
  });
}

/** Moves the slot of the key with everything in it, as `redis-cli --cluster reshard` does. All nodes must be alive. */
export async function moveSlot(nodes: readonly PrivateServer[], key: string, receiver: PrivateServer): Promise<void> {
  const giver = await ownerOf(nodes, key);
  const { port, password } = new URL(receiver.url);
  await withClient(giver, (from) =>
    withClient(receiver, async (to) => {
      const slot = await from.cluster('KEYSLOT', key);
      const [giverId, receiverId] = [await from.cluster('MYID'), await to.cluster('MYID')];
      await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', giverId);
      await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', receiverId);
      for (;;) {
        const keys = await from.cluster('GETKEYSINSLOT', slot, KEYS_AT_ONCE);
        if (keys.length === 0) break;
        const options = ['', 0, MIGRATE_TIMEOUT_MS, 'AUTH', password, 'KEYS'] as const;
        await from.call('MIGRATE', '127.0.0.1', port, ...options, ...keys);
      }
      await to.call('CLUSTER', 'SETSLOT', slot, 'NODE', receiverId);
      await from.call('CLUSTER', 'SETSLOT', slot, 'NODE', receiverId);
    }),
  );
}

async function withClient<Answer>({ url }: PrivateServer, work: (redis: Redis) => Promise<Answer>): Promise<Answer> {
  const redis = connectTo(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
