import type { CallId } from '@outdial/contracts';
import { connectForCommands } from '@outdial/queue';
import { createGate } from '@outdial/reservations';
import type { TestApi } from './open-api.ts';

/** Releases a call's hold, as a worker does after it has settled the call. */
export async function releaseHoldOf({ stores }: Pick<TestApi, 'stores'>, callId: CallId): Promise<void> {
  const redis = connectForCommands(stores.redisUrl);
  try {
    await new Promise((resolve) => redis.once('ready', resolve));
    const gate = createGate({ redis });
    for await (const holds of gate.holds()) {
      for (const hold of holds) if (hold.callId === callId) await gate.release(hold);
    }
  } finally {
    redis.disconnect();
  }
}
