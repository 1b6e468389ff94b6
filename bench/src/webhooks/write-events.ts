import { setTimeout as sleep } from 'node:timers/promises';
import { callIdSchema } from '@outdial/contracts';
import { createChangeSignals } from '@outdial/queue';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

export interface EventPlan {
  readonly databaseUrl: string;
  /** Where changes are announced, as the product announces its own. */
  readonly redisUrl: string;
  readonly callIds: readonly string[];
  readonly perSecond: number;
}

/** In a timeline. Those of one call are a quarter of a second apart. */
export const TYPES = ['queued', 'dialing', 'ringing', 'ended'] as const;
const TICK_MS = 5;

/** Writes the events of all calls at a steady rate, each with its own statement, as separate calls do. */
export async function writeEvents({ databaseUrl, redisUrl, callIds, perSecond }: EventPlan): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl, max: 8 });
  const redis = new Redis(redisUrl);
  redis.on('error', () => undefined);
  const signals = createChangeSignals({ redis });
  const atOnce = perSecond / TYPES.length;
  const total = callIds.length * TYPES.length;

  async function write(place: number): Promise<void> {
    const [second, within] = [Math.floor(place / perSecond), place % perSecond];
    const callId = callIds[second * atOnce + (within % atOnce)];
    await pool.query('INSERT INTO call_events (call_id, type, at) VALUES ($1, $2, clock_timestamp())', [
      callId,
      TYPES[Math.floor(within / atOnce)],
    ]);
    signals.publish([callIdSchema.parse(callId)]);
  }

  const startedMs = performance.now();
  const writing: Promise<void>[] = [];
  while (writing.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedMs) * perSecond) / 1_000));
    while (writing.length < due) writing.push(write(writing.length));
    await sleep(TICK_MS);
  }
  await Promise.all(writing);
  redis.disconnect();
  await pool.end();
}
