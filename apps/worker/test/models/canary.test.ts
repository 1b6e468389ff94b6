import { createCallReader } from '@outdial/persistence';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { monitorRedis } from '../monitor-redis.ts';
import { ACCEPTED, openCanaryStage, REFUSED, SECRET } from './canary-stage.ts';

let canary: Awaited<ReturnType<typeof openCanaryStage>>;
beforeAll(async () => {
  canary = await openCanaryStage();
});
afterAll(() => canary.close());

/** Also as a provider quotes a key, and as it is encoded on the way. */
const TRACES = [ACCEPTED, REFUSED, SECRET, REFUSED.slice(0, 8)].flatMap((text) => [
  text,
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1),
]);
const tracesIn = (text: string) => TRACES.filter((trace) => text.includes(trace));

const withoutBigint = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

async function everyRow(): Promise<string> {
  const { side } = canary.stage.database;
  const tables = await side.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await side.$queryRawUnsafe<{ text: string }[]>(`SELECT t::text AS text FROM "${name}" t`);
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

test('after whole calls of both families no key and no secret is in a log, a row, Redis, a job or an event', async () => {
  const { stage } = canary;
  // Every command: also of keys, jobs and messages that are gone when the calls have ended.
  const monitor = await monitorRedis(stage.redisUrl);
  const events: string[] = [];
  try {
    for (const family of ['realtime', 'cascade'] as const) {
      const conducted = await canary.call(family, 'accepted');
      expect(conducted.endedReason).toBe('agent_hangup');
      const refused = await canary.call(family, 'refused');
      expect(refused.endedReason).toBe('provider_rejected');
      // Its analysis is refused, too.
      await expect.poll(() => stage.events(conducted.id)).toContain('analyzed');
      for (const call of [conducted, refused]) {
        const timeline = await createCallReader(stage.database).events(stage.accountId, call.id);
        events.push(JSON.stringify(timeline), JSON.stringify(await stage.find(call.id), withoutBigint));
      }
    }
  } finally {
    monitor.close();
  }
  // The tool was sent the secret, and the worker wrote about the refusals: the search below is not for nothing.
  expect(canary.asked).toContain(`Bearer ${SECRET}`);
  expect(events.join('\n')).toContain('tool_called');
  expect(events.join('\n')).toContain('provider_failed');
  expect(canary.logged()).toContain('the provider rejected the analysis');
  expect(canary.logged()).toContain('model.message');
  expect(canary.logged()).not.toContain('2025550100');
  expect(monitor.commands()).toContain('"eval');
  expect({
    logs: tracesIn(canary.logged()),
    rows: tracesIn(await everyRow()),
    redis: tracesIn(monitor.commands()),
    events: tracesIn(events.join('\n')),
  }).toEqual({ logs: [], rows: [], redis: [], events: [] });
});
