import { randomBytes } from 'node:crypto';
import type { AccountId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import {
  createAdministration,
  createDatabase,
  type Administration,
  type AgentRecord,
  type Database,
} from '@outdial/persistence';
import { parseSecretKey, type SecretKey } from '@outdial/secrets';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureConductedAgent, ensureSimulatedCredentials } from './seed-models.ts';

const FIRST = 'http://127.0.0.1:5090';
const SECOND = 'http://127.0.0.1:41000';

function newSecretKey(): SecretKey {
  const key = parseSecretKey(randomBytes(32).toString('hex'));
  invariant(key, 'it has 32 bytes');
  return key;
}

let stores: TestStores;
let database: Database;
let admin: Administration;
let accountId: AccountId;
beforeAll(async () => {
  stores = await testStores();
  database = createDatabase({ url: stores.databaseUrl, queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 });
  admin = createAdministration(database, { actor: 'test' });
  accountId = (await admin.accounts.create({ name: 'Demo', currency: 'USD' })).id;
});
afterAll(async () => {
  await database.close();
  await stores.close();
});

async function addresses() {
  const { credentials } = await admin.credentialsOf(null).list();
  return Object.fromEntries(credentials.map(({ name, baseUrl }) => [name, baseUrl]));
}

test('the credentials of the simulated providers follow their port, and open after the secret key was lost', async () => {
  await ensureSimulatedCredentials(admin, { modelsUrl: FIRST, secretKey: newSecretKey() });
  expect(await addresses()).toEqual({
    'simulated-openai': `${FIRST}/v1`,
    'simulated-deepgram': FIRST,
    'simulated-elevenlabs': FIRST,
    'simulated-azure': FIRST,
    'simulated-xai': `${FIRST}/xai/v1`,
    'simulated-openai_live': `${FIRST}/v1`,
    'simulated-google': `${FIRST}/v1beta`,
  });
  const secretKey = newSecretKey();
  await ensureSimulatedCredentials(admin, { modelsUrl: FIRST, secretKey });
  const moved = { modelsUrl: SECOND, secretKey };
  await ensureSimulatedCredentials(admin, moved);
  const { credentials } = await admin.credentialsOf(null).list();
  for (const { id } of credentials) {
    expect(await admin.credentialsOf(null).open(id, secretKey)).toMatchObject({ apiKey: 'sk-simulated-demo' });
  }
  expect(await addresses()).toMatchObject({ 'simulated-openai': `${SECOND}/v1`, 'simulated-deepgram': SECOND });
  await ensureSimulatedCredentials(admin, moved);
  expect(await admin.credentialsOf(null).list()).toEqual({ credentials, hasMore: false });
});

const ensure = (modelsUrl: string, knownId?: string): Promise<AgentRecord> =>
  ensureConductedAgent(admin, accountId, { file: 'model-agent.json', knownId, modelsUrl });

function conductedOf({ settings }: AgentRecord) {
  invariant(settings.kind === 'usable' && settings.settings.driver !== 'scripted', 'a model conducts it');
  return settings.settings;
}

test('an agent of the demo gets a new version when the port of its tool changes, and keeps what its user changed', async () => {
  const created = await ensure(FIRST);
  expect(conductedOf(created).tools).toContainEqual(expect.objectContaining({ url: `${FIRST}/tools/free-slots` }));
  expect(await ensure(FIRST)).toEqual(created);

  await admin.agents.update({ agentId: created.id, settings: { ...conductedOf(created), name: 'Renamed' } });
  const moved = await ensure(SECOND, created.id);
  expect([moved.id, moved.version, conductedOf(moved).name]).toEqual([created.id, 3, 'Renamed']);
  expect(conductedOf(moved).tools).toContainEqual(expect.objectContaining({ url: `${SECOND}/tools/free-slots` }));
});
