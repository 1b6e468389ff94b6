import { randomBytes, randomUUID } from 'node:crypto';
import { invariant } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { openOwnAccount } from '../own-account/own-account.ts';
import { createCandidateReader, createCredentialDirectory, type ReadCandidates } from './credential-directory.ts';

const BOUNDS = { apiKeys: 9, agents: 9, credentials: 3, secrets: 3 };
const KEY = { apiKey: 'sk-canary-4f2a9c7d1e', baseUrl: null, region: null, secretKey: randomBytes(32) } as const;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function openAccount() {
  const { accountId } = await world.party();
  const { credentials } = openOwnAccount(world.database, { accountId, actor: 'user:anna', bounds: BOUNDS });
  return { accountId, credentials };
}

test('all models of a call are found in one read', async () => {
  const { accountId, credentials } = await openAccount();
  const openai = await credentials.create({ ...KEY, provider: 'openai', name: 'main' });
  const deepgram = await credentials.create({ ...KEY, provider: 'deepgram', name: 'ears' });
  let reads = 0;
  const readCandidates: ReadCandidates = (id) => {
    reads += 1;
    return createCandidateReader(world.database)(id);
  };
  const directory = createCredentialDirectory(readCandidates, fakeClock());
  const found = await Promise.all([
    directory.find({ accountId, provider: 'openai', name: null }),
    directory.find({ accountId, provider: 'openai', name: 'main' }),
    directory.find({ accountId, provider: 'deepgram', name: null }),
  ]);
  expect(found.map((credential) => credential?.id)).toEqual([openai.id, openai.id, deepgram.id]);
  expect(reads).toBe(1);
});

test('a credential that was saved a moment ago is found', async () => {
  const { accountId, credentials } = await openAccount();
  const directory = createCredentialDirectory(createCandidateReader(world.database), fakeClock());
  const wanted = { accountId, provider: 'cartesia', name: randomUUID() } as const;
  expect(await directory.find(wanted)).toBeNull();
  const { id } = await credentials.create({ ...KEY, provider: 'cartesia', name: wanted.name });
  expect(await directory.find(wanted)).toEqual({ id, accountId });
});

test('a deleted credential is no longer chosen after a second, and another account’s never is', async () => {
  const { accountId, credentials } = await openAccount();
  const other = await openAccount();
  const { id } = await credentials.create({ ...KEY, provider: 'openai', name: 'main' });
  const clock = fakeClock();
  const directory = createCredentialDirectory(createCandidateReader(world.database), clock);
  const wanted = { accountId, provider: 'openai', name: 'main' } as const;
  expect(await directory.find(wanted)).toEqual({ id, accountId });
  expect(await directory.find({ ...wanted, accountId: other.accountId })).toBeNull();
  invariant(await credentials.remove(id), 'it existed');
  await clock.advance(1_000);
  expect(await directory.find(wanted)).toBeNull();
});
