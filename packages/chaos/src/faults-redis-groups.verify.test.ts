import { describe } from 'vitest';
import { redisClusterFailover } from './faults/redis-cluster-failover.ts';
import { redisSentinelKilled, redisSentinelPlanned } from './faults/redis-sentinels.ts';
import { testFaults } from './testing/test-faults.ts';

/**
 * Far beyond the goals, which `npm run chaos` judges on an idle machine, and far below what a client without its failover
 * would need: ten minutes of a test that never finds the new primary.
 */
const RECOVERS_WITHIN_MS = 30_000;
const options = { workerCount: 2, recoversWithinMs: RECOVERS_WITHIN_MS };

describe('with Sentinels', () => {
  testFaults([redisSentinelPlanned, redisSentinelKilled], 'simulated', { ...options, redisKind: 'sentinels' });
});

describe('in a cluster', () => {
  testFaults([redisClusterFailover], 'simulated', { ...options, redisKind: 'cluster' });
});
