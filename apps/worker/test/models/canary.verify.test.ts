import { randomBytes, randomUUID } from 'node:crypto';
import { createAdministration } from '@outdial/persistence';
import { startTraceCollector, type TraceCollector } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChildApi, type ChildApi } from '../child-api.ts';
import { monitorRedis } from '../monitor-redis.ts';
import { ACCEPTED, openCanaryStage, SECRET } from './canary-stage.ts';

const NUMBER = '+12025550100';
/** The account gives them to the API, which stores them sealed. */
const OWN_KEY = `sk-own-${randomBytes(16).toString('hex')}`;
const OWN_SECRET = `own-${randomBytes(16).toString('hex')}`;
const PEPPER = '5c'.repeat(32);
const TRACED = { OTEL_TRACES_SAMPLER: 'always_on', LOG_LEVEL: 'debug' };

let collector: TraceCollector;
let canary: Awaited<ReturnType<typeof openCanaryStage>>;
let api: ChildApi;
beforeAll(async () => {
  collector = await startTraceCollector();
  const traced = { ...TRACED, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  canary = await openCanaryStage(traced);
  const { stage } = canary;
  const { keys } = createAdministration(stage.database, { actor: 'test' });
  const { key } = await keys.create({
    accountId: stage.accountId,
    name: 'canary',
    scopes: ['outbound', 'manage'],
    pepper: Buffer.from(PEPPER, 'hex'),
  });
  api = await startChildApi(
    key,
    stage.environment({ ...traced, OUTDIAL_SECRET_KEY: canary.secretKey, OUTDIAL_KEY_PEPPER: PEPPER }),
    { keepsOutput: true },
  );
});
afterAll(async () => {
  await api.close();
  await canary.close();
  await collector.close();
});

/** Also as it is encoded on the way. */
const formsOf = (text: string): readonly string[] => [
  text,
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1),
];
const KEYS = [ACCEPTED, SECRET, OWN_KEY, OWN_SECRET].flatMap(formsOf);
/** Without the sign, with which not everyone writes it. */
const NUMBERS = formsOf(NUMBER.slice(2));

const tracesIn = (text: string, traces: readonly string[]) => traces.filter((trace) => text.includes(trace));

/** The columns that have one of these texts in a row, as `table.column`. */
async function columnsWith(traces: readonly string[]): Promise<readonly string[]> {
  const { side } = canary.stage.database;
  const columns = await side.$queryRaw<{ table: string; column: string }[]>`
    SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
    JOIN pg_tables t ON t.schemaname = 'public' AND t.tablename = c.table_name WHERE c.table_schema = 'public'`;
  const found: string[] = [];
  for (const { table, column } of columns) {
    const [row] = await side.$queryRawUnsafe<{ has: boolean }[]>(
      `SELECT EXISTS (SELECT FROM "${table}" t, unnest($1::text[]) AS trace WHERE position(trace IN t."${column}"::text) > 0) AS has`,
      traces,
    );
    if (row?.has) found.push(`${table}.${column}`);
  }
  return found.toSorted();
}

/** Every key of Redis with its value. */
async function everyKey(): Promise<string> {
  const { redis } = canary.stage;
  const texts: string[] = [];
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key);
    const value = {
      string: () => redis.get(key),
      hash: () => redis.hgetall(key),
      list: () => redis.lrange(key, 0, -1),
      set: () => redis.smembers(key),
      zset: () => redis.zrange(key, '0', '-1'),
      stream: () => redis.xrange(key, '-', '+'),
    }[type];
    texts.push(key, JSON.stringify((await value?.()) ?? null));
  }
  return texts.join('\n');
}

/** Where the number of a callee may stand, and why. */
const MAY_HAVE_NUMBER = {
  'calls.callee_number': 'whom the call is to',
  'called_numbers.number': 'the calls of an account are found by a part of it',
} as const;

test('no key, secret or number of a call over the API is in a log, a span, Redis, or a row beside its own columns', async () => {
  const { stage } = canary;
  const monitor = await monitorRedis(stage.redisUrl);
  let stored = '';
  try {
    const created = await api.ask('/provider-credentials', {
      method: 'POST',
      body: JSON.stringify({ provider: 'deepgram', name: 'own', api_key: OWN_KEY }),
    });
    expect(created.status).toBe(201);
    const secret = await api.ask('/secrets/OWN', { method: 'PUT', body: JSON.stringify({ value: OWN_SECRET }) });
    expect(secret.status).toBeLessThan(300);
    for (const family of ['realtime', 'cascade'] as const) {
      await canary.conductBy(family, 'accepted');
      const callId = await api.place({
        to_number: NUMBER,
        agent_id: stage.agentId,
        variables: { name: 'Ada' },
        max_duration_seconds: 40,
        metadata: { order: randomUUID() },
      });
      stored += await everyKey();
      const call = await api.ended(callId);
      expect(call).toMatchObject({ ended_reason: 'agent_hangup', callee_number: NUMBER });
    }
    stored += await everyKey();
  } finally {
    monitor.close();
  }
  await canary.stopWorker();
  await api.close();

  // There was something to find.
  expect(canary.asked).toContain(`Bearer ${SECRET}`);
  expect(api.output()).toContain('"level":"debug"');
  expect(new Set(collector.spans.map(({ service }) => service)).size).toBeGreaterThan(1);
  expect(collector.spans.map(({ name }) => name)).toContain('call.talk');
  expect(stored).toContain('{outdial}:holds');

  const everywhere = {
    api: api.output(),
    worker: canary.logged(),
    spans: collector.requests.map(({ body }) => body).join('\n'),
    redis: monitor.commands(),
    stored,
  };
  for (const [where, text] of Object.entries(everywhere)) {
    expect({ where, found: tracesIn(text, [...KEYS, ...NUMBERS]) }).toEqual({ where, found: [] });
  }
  expect(await columnsWith(KEYS)).toEqual([]);
  expect(await columnsWith(NUMBERS)).toEqual(Object.keys(MAY_HAVE_NUMBER).toSorted());
});
