export { claimRtpPorts, type ClaimedRtpPorts } from './claim-rtp-ports.ts';
export { debianPostgres, type DebianPostgres } from './debian-postgres.ts';
export { fakeClock, type FakeClock } from './fake-clock.ts';
export { freePort } from './free-port.ts';
export { orUsage } from './or-usage.ts';
export { privatePgbouncer } from './private-pgbouncer.ts';
export { privatePostgres, type PrivatePostgresOptions } from './private-postgres.ts';
export { privateRedis, type PrivateRedisOptions } from './private-redis.ts';
export {
  privateRedisCluster,
  type PrivateRedisCluster,
  type PrivateRedisClusterOptions,
} from './private-redis-cluster.ts';
export { privateRedisSentinels, type PrivateSentinels } from './private-sentinels.ts';
export { privateHaproxy, privateHaproxyOfRedis, privateNginx, type PrivateProxy } from './private-proxies.ts';
export { redisTlsPort, type TlsPort } from './private-redis-tls.ts';
export { privateS3, type PrivateS3 } from './private-s3.ts';
export type { PrivateServer } from './private-server.ts';
export { replicatedPostgres, type ReplicatedPostgres } from './replicated-postgres.ts';
export { startBaresip, type Baresip, type BaresipOptions } from './telephones/baresip.ts';
export { startKamailio, type Kamailio, type KamailioOptions } from './telephones/kamailio.ts';
export { toWav } from './telephones/sound-file.ts';
export { LOCALHOST_IDENTITY, RENEWED_IDENTITY } from './telephones/tls-identity.ts';
export { serviceArgs } from './service-args.ts';
export { plainSdp, RawFarEnd, SDP_FIELD, sdpWithIsup, type RawRequest } from './telephones/raw-far-end.ts';
export { startSipp, type Sipp, type SippOptions } from './telephones/sipp.ts';
export { startTraceCollector, type CollectedSpan, type TraceCollector } from './trace-collector.ts';
export { testStores, type TestStores } from './test-stores.ts';
