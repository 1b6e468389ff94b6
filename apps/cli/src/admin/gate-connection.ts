import { once } from 'node:events';
import type { EndCallDeps, Gate, OpenBreaker } from '@outdial/calls';
import type { RedisAccess } from '@outdial/kernel';
import { connectForCommands, createEndSignals, createOperationSignals, type RedisClient } from '@outdial/queue';
import { createBreakers, createGate } from '@outdial/reservations';

/** The Redis side of administration. It is best effort: Postgres already has every change. */
export interface GateConnection {
  /** Returns a note when the change has to wait for the workers, which compare the gate with Postgres. */
  refresh(change: (gate: Gate) => Promise<unknown>): Promise<readonly string[]>;
  /** The gate and the signals that free a call's slot and wake its driver. */
  forEnding(): Promise<Pick<EndCallDeps, 'gate' | 'signals'>>;
  /** Signals the workers to look for changes. A worker that misses the signal looks within a second anyway. */
  hurryWorkers(): Promise<void>;
  /** Null without an answer. */
  openBreakers(): Promise<readonly OpenBreaker[] | null>;
  close(): Promise<void>;
}

const READY_LIMIT_MS = 2_000;
const LATER =
  'The change is saved; it applies to new calls within seconds, when a worker next compares the gate with Postgres.';

/** Connects on first use, and works without a Redis that is down or not configured. */
export function connectGate(access: RedisAccess | undefined): GateConnection {
  if (access === undefined) return withoutRedis();
  let opening: Promise<RedisClient> | undefined;
  const open = () => (opening ??= connect(access));
  return {
    async refresh(change) {
      try {
        await change(createGate({ redis: await open() }));
        return [];
      } catch {
        return [`Note: Redis does not answer. ${LATER}`];
      }
    },
    async forEnding() {
      const redis = await open();
      return { gate: createGate({ redis }), signals: createEndSignals({ redis }) };
    },
    async hurryWorkers() {
      const redis = await open();
      await createOperationSignals({ redis })
        .publish()
        .catch(() => undefined);
    },
    openBreakers: async () =>
      createBreakers({ redis: await open() })
        .open()
        .catch(() => null),
    async close() {
      if (!opening) return;
      const redis = await opening;
      // Redis answers QUIT after everything sent before it, such as a release that the command did not await.
      if (redis.status === 'ready') await redis.quit().catch(() => undefined);
      redis.disconnect();
    },
  };
}

/** Also resolves when Redis does not answer in time: each command is then rejected. */
async function connect(access: RedisAccess): Promise<RedisClient> {
  const redis = connectForCommands(access);
  redis.on('error', () => {});
  await once(redis, 'ready', { signal: AbortSignal.timeout(READY_LIMIT_MS) }).catch(() => undefined);
  return redis;
}

const refuse = () => Promise.reject(new Error('REDIS_URL is not set'));

function withoutRedis(): GateConnection {
  return {
    refresh: async () => [`Note: REDIS_URL is not set. ${LATER}`],
    forEnding: async () => ({ gate: { release: refuse }, signals: { publish: refuse } }),
    hurryWorkers: async () => {},
    openBreakers: async () => null,
    close: async () => {},
  };
}
