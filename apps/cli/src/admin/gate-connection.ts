import { once } from 'node:events';
import type { EndCallDeps, Gate } from '@outdial/calls';
import { connectForCommands, createEndSignals, createOperationSignals } from '@outdial/queue';
import { createGate } from '@outdial/reservations';
import type { Redis } from 'ioredis';

/** What administration tells Redis: always best effort, because Postgres has it already. */
export interface GateConnection {
  /** Gives a note where the change has to wait for the workers, who compare the gate with Postgres. */
  refresh(change: (gate: Gate) => Promise<unknown>): Promise<readonly string[]>;
  /** What frees the slot of a call and hurries its driver. */
  forEnding(): Promise<Pick<EndCallDeps, 'gate' | 'signals'>>;
  /** Tells workers to look what was changed; those that do not hear of it look within a second. */
  hurryWorkers(): Promise<void>;
  close(): Promise<void>;
}

const READY_LIMIT_MS = 2_000;
const LATER = 'The change is saved; it limits new calls within seconds, when a worker compares the two.';

/** Connects when it is needed first, and does without a Redis that is away or was not named. */
export function connectGate(redisUrl: string | undefined): GateConnection {
  if (redisUrl === undefined) return withoutRedis();
  let opening: Promise<Redis> | undefined;
  const open = () => (opening ??= connect(redisUrl));
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
    async close() {
      if (!opening) return;
      const redis = await opening;
      // QUIT is answered after everything that was sent before it, such as a release that nobody waited for.
      if (redis.status === 'ready') await redis.quit().catch(() => undefined);
      redis.disconnect();
    },
  };
}

/** Resolves also when Redis does not answer in time: commands are refused then, one by one. */
async function connect(redisUrl: string): Promise<Redis> {
  const redis = connectForCommands(redisUrl);
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
    close: async () => {},
  };
}
