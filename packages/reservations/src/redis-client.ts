import type { Cluster, Redis } from 'ioredis';

/** One server, or a cluster: every script touches one slot. */
export type RedisClient = Redis | Cluster;
