import { randomBytes, randomUUID } from 'node:crypto';
import { apiKeyIdSchema, type AccountId, type ApiKeyId } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration } from '../administration/administration.ts';
import { createDatabase } from '../database.ts';
import { createKeyUsage } from './key-usage.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function createKey(): Promise<{ readonly accountId: AccountId; readonly keyId: ApiKeyId }> {
  const { accountId } = await world.party();
  const { keys } = createAdministration(world.database, { actor: 'test' });
  const { record } = await keys.create({ accountId, name: 'crm', pepper: randomBytes(32) });
  return { accountId, keyId: record.id };
}

async function lastUsedAtMs(accountId: AccountId): Promise<number | null | undefined> {
  const { keys } = createAdministration(world.database, { actor: 'test' });
  return (await keys.list(accountId))[0]?.lastUsedAtMs;
}

const onError = (error: unknown) => expect.fail(String(error));

test('a use is written some seconds later, outside the request', async () => {
  const { accountId, keyId } = await createKey();
  const clock = fakeClock();
  createKeyUsage(world.database, { clock, onError }).used(keyId);
  expect(await lastUsedAtMs(accountId)).toBeNull();
  await clock.advance(5_000);
  await expect.poll(() => lastUsedAtMs(accountId)).toBeTypeOf('number');
  expect(Math.abs(((await lastUsedAtMs(accountId)) ?? 0) - systemClock.nowMs())).toBeLessThan(15_000);
});

test('a key in constant use is written once a minute, by any number of processes', async () => {
  const { accountId, keyId } = await createKey();
  const clock = fakeClock();
  const usage = createKeyUsage(world.database, { clock, onError });
  usage.used(keyId);
  await usage.flush();
  const firstMs = await lastUsedAtMs(accountId);
  usage.used(keyId);
  expect(clock.pendingTimers()).toBe(0);

  // For this process a minute passes; by Postgres's clock it has not.
  await clock.advance(60_000);
  usage.used(keyId);
  await usage.flush();
  expect(await lastUsedAtMs(accountId)).toBe(firstMs);
});

test('a failed write is reported, and the next use is written', async () => {
  const away = createDatabase({ url: 'postgresql://127.0.0.1:1/none' });
  const clock = fakeClock();
  const errors: unknown[] = [];
  const usage = createKeyUsage(away, { clock, onError: (error) => errors.push(error) });
  const keyId = apiKeyIdSchema.parse(randomUUID());
  usage.used(keyId);
  await usage.flush();
  expect(errors).toHaveLength(1);
  usage.used(keyId);
  expect(clock.pendingTimers()).toBe(1);
  await usage.flush();
  await away.close();
});
