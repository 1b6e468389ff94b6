import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownFolder, type OwnFolder } from './own-folder.ts';

/** Enough to start services and complete a call. */
const LIMIT_MS = 600_000;

let folder: OwnFolder;
let stores: TestStores;
let given: NodeJS.ProcessEnv;
beforeAll(async () => {
  [folder, stores] = await Promise.all([ownFolder(), testStores()]);
  given = { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl };
});
afterAll(async () => {
  await folder.remove();
  await stores.close();
}, LIMIT_MS);

test(
  'npm start with the user’s own stores creates no demo account, and stops in order when npm is killed',
  async () => {
    const bare = folder.startWithNpm(given);
    await bare.printed('Running.');
    expect(bare.output()).not.toContain('API key');
    expect(await folder.administer(['accounts', 'list', '--json'])).toContain('"accounts": []');
    await folder.endNpm(bare, 'SIGKILL');
  },
  LIMIT_MS,
);

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a supervisor that sends %s to npm alone stops npm start in order',
  async (signal) => {
    const product = folder.startWithNpm(given);
    await product.printed('Running.');
    await folder.endNpm(product, signal);
    expect(product.output()).toMatch(/✓ Stopping +done/);
  },
  LIMIT_MS,
);
