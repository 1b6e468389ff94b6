export { createBatcher, type Batcher, type BatcherOptions, type BatchResult } from './batcher.ts';
export { pause, systemClock, type Clock, type Timer } from './clock.ts';
export { DeadlineExceeded, withDeadline } from './deadline.ts';
export { describeFailure } from './describe-failure.ts';
export { EnvError, parseEnv, type Env, type EnvSpec, type EnvVariable } from './env/parse-env.ts';
export { parsePostgresUrl, type PostgresAddress, type PostgresHost, type SessionTarget } from './env/postgres-url.ts';
export { redisAccessOf, redisEnv, sentinelEnv, type RedisAccess } from './env/redis-env.ts';
export { parseRedisUrl, redisHosts, RedisUrlError, type RedisAddress } from './env/redis-url.ts';
export { reportConfig } from './env/report-config.ts';
export { envChoice, envFlag, envInteger, envLogLevel, envPoolSize, envPostgresUrl, envRedisUrl } from './env/values.ts';
export { CodedError, type CodedErrorDetails, type CodedErrorInput } from './coded-error.ts';
export { createFreshCache, StaleReadingError } from './fresh-cache.ts';
export { uuidV7, uuidV8 } from './ids.ts';
export { invariant, InvariantError, unreachable } from './invariant.ts';
export { LOG_EVENTS, LOG_EVENT_SECTIONS, type LogEvent } from './log-events.ts';
export {
  correlateWithTraces,
  createLogger,
  LOG_LEVELS,
  type Logger,
  type LoggerOptions,
  type LogLevel,
} from './logger.ts';
export { watchOutages, type OutageWatch, type StoreCondition, type WatchedStore } from './outages.ts';
export { maskPhoneNumber, redactText } from './mask.ts';
export { withoutProviderKey } from './provider-key.ts';
export type { StoreCheckResult } from './store-check-result.ts';
export { createPacer, type Pacer, type PacerOptions } from './pacer.ts';
export {
  formatTraceParent,
  isSampled,
  parseTraceParent,
  tracePositionOf,
  type TraceParent,
  type TracePosition,
} from './trace-parent.ts';
export { raiseThreadPriority, runInRealTime } from './thread-priority.ts';
export { createFairLimiter, FairLimiterFull, type FairLimiter, type FairLimiterOptions } from './fair-limiter.ts';
