import { invariant } from '@outdial/kernel';
import { moveSlot, ownerOf } from '../stack/cluster-slots.ts';
import { CLUSTER_NODE_TIMEOUT_MS } from '../stack/redis-kinds.ts';
import { runFailovers } from './failover.ts';
import type { Fault } from './fault.ts';
import { first } from './observe.ts';

const GATE_KEY = '{outdial}:gate';
/** Beyond the time after which the nodes call one lost: their vote, our retry, the rebuild of the gate. */
const AFTER_TIMEOUT_MS = 4_000;

/** The node with the gate is killed; later the gate's slot moves to another node, key by key. */
export const redisClusterFailover: Fault = {
  name: 'redis-cluster-failover',
  expectation: 'the replica takes over, and every process follows the gate to another node',
  carrier: 'simulated',
  redisKind: 'cluster',
  async run(context) {
    const { cluster } = context.stack;
    invariant(cluster !== undefined, 'this stack has a cluster');
    const nodes = [...cluster.primaries, ...cluster.replicas];
    const before = await ownerOf(nodes, GATE_KEY);
    const others = nodes.filter((node) => node !== before);
    const receiver = first(cluster.primaries.filter((node) => node !== before));
    return runFailovers(context, (account) => [
      {
        account,
        strike: () => before.kill(),
        isOver: async () => (await ownerOf(others, GATE_KEY)) !== before,
        promisedMs: CLUSTER_NODE_TIMEOUT_MS + AFTER_TIMEOUT_MS,
      },
      {
        account,
        strike: () => moveSlot(others, GATE_KEY, receiver),
        isOver: async () => (await ownerOf(others, GATE_KEY)) === receiver,
        promisedMs: AFTER_TIMEOUT_MS,
      },
    ]);
  },
};
