import { setTimeout as sleep } from 'node:timers/promises';
import { privateRedis } from '@outdial/testkit';
import { percentile, type Figure } from '../../report.ts';
import { copyOfSubject, query, type Stage } from '../../stage.ts';
import { addCalls, addSubscribers, type Subscriber } from '../../webhooks/endpoints.ts';
import { startSender } from '../../webhooks/sender.ts';
import { TYPES, writeEvents } from '../../webhooks/write-events.ts';

const PER_SECOND = 100;
const SECONDS = 20;
const WARM_UP_SECONDS = 3;
/** What has not arrived by then counts as late as this. */
const GIVE_UP_MS = 60_000;

interface Delays {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** From the commit of an event to its first request: with Redis, without it, and with half of the receivers hanging. */
export async function measureDelay(
  stage: Stage,
  ports: readonly number[],
  say: (text: string) => void,
): Promise<Figure[]> {
  const run = async (name: string, conditions: { readonly hanging: number; readonly redis: 'present' | 'away' }) => {
    const delays = await delaysUnder(stage, ports, conditions);
    const { p50Ms, p95Ms, p99Ms } = delays;
    say(`${name}: p50 ${Math.round(p50Ms)} ms, p95 ${Math.round(p95Ms)} ms, p99 ${Math.round(p99Ms)} ms`);
    return delays;
  };
  const usual = await run('with Redis', { hanging: 0, redis: 'present' });
  const away = await run('with Redis away', { hanging: 0, redis: 'away' });
  const hanging = await run('10 of 20 receivers hang', { hanging: ports.length / 2, redis: 'present' });
  const load = `${PER_SECOND} events/s, ${ports.length} endpoints`;
  const figure = (name: string, { p50Ms, p95Ms, p99Ms }: Delays, goalMs: number): Figure => ({
    name: `commit to the first request, p95, ${load}${name}`,
    value: p95Ms,
    unit: 'ms',
    goal: { atMost: goalMs },
    absolute: { 'p50 ms': p50Ms, 'p99 ms': p99Ms },
  });
  return [
    figure('', usual, 250),
    figure(', Redis away', away, 1_200),
    {
      name: 'the same with Redis, of 10 receivers while 10 others hang',
      value: hanging.p95Ms / usual.p95Ms,
      unit: '× without them',
      goal: { atMost: 1.5 },
      absolute: { 'p95 ms': hanging.p95Ms, 'p95 ms without them': usual.p95Ms },
    },
  ];
}

async function delaysUnder(
  stage: Stage,
  ports: readonly number[],
  { hanging, redis }: { readonly hanging: number; readonly redis: 'present' | 'away' },
): Promise<Delays> {
  const databaseUrl = await copyOfSubject(stage, `bench_webhooks_${hanging}_${redis}`);
  const redisServer = await privateRedis();
  const { url: redisUrl } = redisServer;
  const subscribers = await addSubscribers(databaseUrl, { ports, hanging });
  const sender = await startSender({ redisUrl, databaseUrl });
  try {
    if (redis === 'away') await redisServer.kill();
    const write = async (seconds: number) => {
      const callIds = await addCalls(databaseUrl, subscribers, (seconds * PER_SECOND) / TYPES.length);
      const startedAt = new Date();
      await writeEvents({ databaseUrl, redisUrl, callIds, perSecond: PER_SECOND });
      return startedAt;
    };
    await write(WARM_UP_SECONDS);
    const startedAt = await write(SECONDS);
    return await delaysSince(databaseUrl, subscribers, startedAt);
  } finally {
    await sender.stop();
    await redisServer.close();
  }
}

/** Of the endpoints that answer. */
async function delaysSince(databaseUrl: string, subscribers: readonly Subscriber[], since: Date): Promise<Delays> {
  const endpointIds = subscribers.filter(({ hangs }) => !hangs).map(({ endpointId }) => endpointId);
  const deadlineMs = performance.now() + GIVE_UP_MS;
  for (;;) {
    const rows = await query<{ ms: number | null }>(
      databaseUrl,
      `SELECT (extract(epoch FROM a.started_at - m.created_at) * 1000)::float8 AS ms
       FROM webhook_deliveries d JOIN webhook_messages m ON m.id = d.message_id
         LEFT JOIN webhook_attempts a ON a.message_id = d.message_id AND a.endpoint_id = d.endpoint_id AND a.number = 1
       WHERE d.endpoint_id = ANY($1::uuid[]) AND m.created_at >= $2`,
      [endpointIds, since],
    );
    const isOver = performance.now() > deadlineMs;
    if (rows.some(({ ms }) => ms === null) && !isOver) {
      await sleep(200);
      continue;
    }
    const delays = rows.map(({ ms }) => ms ?? GIVE_UP_MS);
    return { p50Ms: percentile(delays, 0.5), p95Ms: percentile(delays, 0.95), p99Ms: percentile(delays, 0.99) };
  }
}
