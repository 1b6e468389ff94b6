import { apiKilledAfterReserve } from './api-killed-after-reserve.ts';
import { apiKilledBeforeEnqueue } from './api-killed-before-enqueue.ts';
import { apiBehindHaproxy, apiBehindNginx, apiReplaced } from './api-replaced.ts';
import { apiStoppedBeforeCommit } from './api-stopped-before-commit.ts';
import { campaignSchedulerKilled } from './campaign-scheduler-killed.ts';
import { campaignWithoutStores } from './campaign-without-stores.ts';
import { cappedInFlight } from './capped-in-flight.ts';
import { commitReplyLost } from './commit-reply-lost.ts';
import { clockStepped } from './clock-stepped.ts';
import { diskFull } from './disk-full.ts';
import { endRaces } from './end-races.ts';
import type { Fault } from './fault.ts';
import { holdNotExtended } from './hold-not-extended.ts';
import { modelThreadKilled } from './model-thread-killed.ts';
import { oneKeyFiftyTimes } from './one-key-fifty-times.ts';
import { optOutWhilePostgresAway, optOutWorkerKilled } from './opt-outs-stand.ts';
import { pgbouncer } from './pgbouncer.ts';
import { policyNarrowedInFlight } from './policy-narrowed-in-flight.ts';
import { postgresAway } from './postgres-away.ts';
import { postgresPromoted } from './postgres-promoted.ts';
import { postgresReadOnly } from './postgres-read-only.ts';
import { postgresStandbyLost } from './postgres-standby-lost.ts';
import { postgresTwoPrimaries } from './postgres-two-primaries.ts';
import { provider429 } from './provider-429.ts';
import { providerDrops } from './provider-drops.ts';
import { redisAway } from './redis-away.ts';
import { redisClusterFailover } from './redis-cluster-failover.ts';
import { redisDemoted } from './redis-demoted.ts';
import { redisFlushedWhileRebuilding } from './redis-flushed-while-rebuilding.ts';
import { redisFlushed } from './redis-flushed.ts';
import { redisFull } from './redis-full.ts';
import {
  redisBehindHaproxy,
  redisSentinelKilled,
  redisSentinelKilledInStep,
  redisSentinelPlanned,
} from './redis-sentinels.ts';
import { redisStale } from './redis-stale.ts';
import { rollingRestart } from './rolling-restart.ts';
import { rollingUpgrade } from './rolling-upgrade.ts';
import { schedulerKilled } from './scheduler-killed.ts';
import { schedulerStopped } from './scheduler-stopped.ts';
import { schedulesWithoutRedis } from './schedules-without-redis.ts';
import { soak } from './soak.ts';
import { suppressedInFlight } from './suppressed-in-flight.ts';
import { thousandAtOnce } from './thousand-at-once.ts';
import { trunkReallyDown } from './trunk-really-down.ts';
import { trunkSays503ForSome, trunkSilentForSome } from './trunk-for-some.ts';
import { uploadCut } from './upload-cut.ts';
import { warmTransferKilled } from './warm-transfer-killed.ts';
import { webhookPostgresAway } from './webhook-postgres-away.ts';
import { webhookReceiverHangs } from './webhook-receiver-hangs.ts';
import { webhookRedisAway } from './webhook-redis-away.ts';
import { webhookWorkerKilled } from './webhook-worker-killed.ts';
import { workerKilled } from './worker-killed.ts';
import { workerBlocked, workerStopped } from './worker-stopped.ts';

/** Every fault, in the order in which they run. */
export const FAULTS: readonly Fault[] = [
  apiKilledAfterReserve,
  apiKilledBeforeEnqueue,
  apiStoppedBeforeCommit,
  commitReplyLost,
  oneKeyFiftyTimes,
  thousandAtOnce,
  redisFlushed,
  redisStale,
  redisAway,
  redisDemoted,
  redisSentinelPlanned,
  redisSentinelKilled,
  redisSentinelKilledInStep,
  redisBehindHaproxy,
  redisClusterFailover,
  redisFlushedWhileRebuilding,
  redisFull,
  postgresAway,
  postgresReadOnly,
  postgresStandbyLost,
  postgresPromoted,
  postgresTwoPrimaries,
  pgbouncer,
  apiReplaced,
  apiBehindNginx,
  apiBehindHaproxy,
  holdNotExtended,
  schedulerKilled,
  schedulerStopped,
  schedulesWithoutRedis,
  campaignSchedulerKilled,
  campaignWithoutStores,
  uploadCut,
  cappedInFlight,
  webhookWorkerKilled,
  webhookReceiverHangs,
  webhookRedisAway,
  webhookPostgresAway,
  rollingRestart,
  soak,
  workerKilled,
  workerStopped,
  workerBlocked,
  endRaces,
  suppressedInFlight,
  policyNarrowedInFlight,
  optOutWhilePostgresAway,
  optOutWorkerKilled,
  diskFull,
  clockStepped,
  trunkSays503ForSome,
  trunkSilentForSome,
  trunkReallyDown,
  providerDrops,
  provider429,
  modelThreadKilled,
  rollingUpgrade,
  warmTransferKilled,
];

/** `npm test` runs this, and `oneKeyFiftyTimes` after a fault that fails: see `quick.test.ts`. */
export const QUICK_FAULTS: readonly Fault[] = [redisFull];

/**
 * `npm run verify` runs these, each list on a separate stack. `npm run chaos` runs all, including those that take longer or
 * need an idle machine.
 */
export const ACCEPTANCE_FAULTS: readonly Fault[] = [
  apiKilledBeforeEnqueue,
  apiKilledAfterReserve,
  commitReplyLost,
  thousandAtOnce,
  redisFlushed,
  redisStale,
  redisFlushedWhileRebuilding,
  postgresAway,
];

export const CAMPAIGN_AND_WEBHOOK_FAULTS: readonly Fault[] = [
  campaignSchedulerKilled,
  campaignWithoutStores,
  uploadCut,
  webhookWorkerKilled,
  webhookReceiverHangs,
  webhookRedisAway,
  webhookPostgresAway,
];

export const SIP_FAULTS: readonly Fault[] = [
  workerKilled,
  workerBlocked,
  endRaces,
  suppressedInFlight,
  policyNarrowedInFlight,
  optOutWhilePostgresAway,
];

/** In this order: the second needs what the first has done. */
export const REPLICATED_FAULTS: readonly Fault[] = [postgresPromoted, postgresTwoPrimaries];

/** On a stack with both PgBouncer and three APIs. */
export const POOLED_FAULTS: readonly Fault[] = [pgbouncer, apiReplaced];
