import { seedAccount } from '@outdial/persistence/seeding';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openHookStage, type HookStage } from './hook-stage.ts';

const BUSY = '+12025550101';
const ENDS = ['call.ended'] as const;

let stage: HookStage;
beforeAll(async () => {
  stage = await openHookStage();
});
afterEach(async () => {
  await stage.clear();
  await stage.stopWorkers();
});
afterAll(() => stage.close());

test('a receiver that hangs delays no webhook of another account, nor of another endpoint', async () => {
  const { id: neighborId } = await seedAccount(stage.database, {});
  // It holds its requests until the test ends: nothing that is asserted waits for a timeout.
  const hanging = await stage.receiver({ answer: () => undefined });
  const healthy = await stage.receiver();
  const own = await stage.receiver();
  const dead = await stage.endpoint({ url: hanging.url, events: ENDS });
  await stage.endpoint({ url: own.url, events: ENDS });
  await stage.endpoint({ url: healthy.url, accountId: neighborId, events: ['webhook.test'] });
  // The account's share, a quarter, is more than one lane may have, and less than the dead receiver has webhooks.
  await stage.startWorker({ ...stage.hookEnvironment, OUTDIAL_WEBHOOK_CONCURRENCY: '60' });

  await Promise.all(Array.from({ length: 20 }, () => stage.place(BUSY)));
  await hanging.until(10);
  await own.until(20);
  await stage.database.side.$executeRaw`
    SELECT announce_webhook(${neighborId}::uuid, 'webhook.test', now(), '{"type":"webhook.test","data":{}}', NULL, NULL)`;
  await healthy.until(1);

  expect(hanging.received).toHaveLength(10);
  expect(await stage.attemptsTo(dead)).toEqual([]);
});

test('nor one of another account at the same host, however many requests it holds there', async () => {
  const { id: neighborId } = await seedAccount(stage.database, {});
  const shared = await stage.receiver({
    answer: (response, index) => {
      if (shared.received[index]?.parsed.type === 'webhook.test') response.end('ok');
    },
  });
  // More than an HTTP client has connections to a host by default, and less than the account's share.
  const dead = await Promise.all(Array.from({ length: 7 }, () => stage.endpoint({ url: shared.url, events: ENDS })));
  const healthy = await stage.endpoint({ url: shared.url, accountId: neighborId, events: ['webhook.test'] });
  await stage.startWorker(stage.hookEnvironment);

  await Promise.all(Array.from({ length: 10 }, () => stage.place(BUSY)));
  await shared.until(dead.length * 10);
  await stage.database.side.$executeRaw`
    SELECT announce_webhook(${neighborId}::uuid, 'webhook.test', now(), '{"type":"webhook.test","data":{}}', NULL, NULL)`;
  await shared.until(dead.length * 10 + 1);
  await expect.poll(() => stage.attemptsTo(healthy)).toMatchObject([{ status: 200 }]);
  // None has timed out: nothing waited for that.
  for (const each of dead) expect(await stage.attemptsTo(each)).toEqual([]);
});
