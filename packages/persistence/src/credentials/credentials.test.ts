import { randomBytes, randomUUID } from 'node:crypto';
import { accountIdSchema, secretNameSchema, type AccountId, type CredentialId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration, type Administration } from '../administration/administration.ts';
import { openOwnAccount, type OwnAccount } from '../own-account/own-account.ts';
import { createCredentialSource } from './credential-source.ts';

const secretKey = randomBytes(32);
const CANARY = 'sk-canary-4f2a9c7d1e';
const CRM = secretNameSchema.parse('CRM_TOKEN');
const NEW = { provider: 'openai', name: 'main', apiKey: CANARY, baseUrl: null, region: null, secretKey } as const;

let world: World;
let admin: Administration;
let [accountId, otherId]: AccountId[] = [];
const unreadable: Error[] = [];
beforeAll(async () => {
  world = await createWorld();
  admin = createAdministration(world.database, { actor: 'ops' });
});
afterAll(() => world.close());
beforeEach(async () => {
  [accountId, otherId] = [(await world.party()).accountId, (await world.party()).accountId];
  unreadable.length = 0;
});

const idOf = (id: AccountId | undefined) => id ?? accountIdSchema.parse(randomUUID());
const own = (id = accountId, bounds = { apiKeys: 9, agents: 9, credentials: 3, secrets: 3 }): OwnAccount =>
  openOwnAccount(world.database, { accountId: idOf(id), actor: 'user:anna', bounds });
const source = (key = secretKey) =>
  createCredentialSource(world.database, { secretKey: key, onUnreadable: (error) => unreadable.push(error) });

describe('a credential', () => {
  test('is stored without its key, and opens for its account', async () => {
    const record = await own().credentials.create(NEW);
    expect(record).toMatchObject({ provider: 'openai', name: 'main', shownSuffix: '7d1e', checkResult: null });
    expect(JSON.stringify(record)).not.toContain(CANARY);
    expect(await source().open(idOf(accountId), record.id)).toMatchObject({ id: record.id, apiKey: CANARY });
  });

  test('of another account is unknown to every operation', async () => {
    const { id } = await own(otherId).credentials.create(NEW);
    const { credentials } = own();
    const record = await own(otherId).credentials.list();
    const [theirs] = record.credentials;
    invariant(theirs, 'the other account has one');
    expect([
      await credentials.open(id, secretKey),
      await credentials.rotate(id, { apiKey: 'another', secretKey }),
      await credentials.recordCheck(theirs, 'rejected'),
      await credentials.remove(id),
      await source().open(idOf(accountId), id),
      (await credentials.list()).credentials,
      (await source().usableBy(idOf(accountId))).filter((each) => each.id === id),
    ]).toEqual([null, null, null, null, null, [], []]);
    expect(await source().open(idOf(otherId), id)).toMatchObject({ apiKey: CANARY });
  });

  test('of the operator opens for every account, and no account can change it', async () => {
    const name = randomUUID();
    const { id } = await admin.credentialsOf(null).create({ ...NEW, name, limitsGroup: 'project', startsPerSecond: 5 });
    for (const each of [accountId, otherId]) {
      expect(await source().open(idOf(each), id)).toMatchObject({
        accountId: null,
        apiKey: CANARY,
        startsPerSecond: 5,
      });
    }
    expect(await own().credentials.remove(id)).toBeNull();
    expect(await admin.credentialsOf(null).remove(id)).toMatchObject({ id });
  });

  test('that was deleted opens no more, and leaves no row', async () => {
    const { id } = await own().credentials.create(NEW);
    expect(await own().credentials.remove(id)).toMatchObject({ id });
    expect([await source().open(idOf(accountId), id), await own().credentials.remove(id)]).toEqual([null, null]);
    expect(await world.database.side.providerCredential.findUnique({ where: { id } })).toBeNull();
  });

  test('does not open with the sealed key of another row, of another account, or of another secret key', async () => {
    const first = await own().credentials.create(NEW);
    const second = await own().credentials.create({ ...NEW, name: 'spare', apiKey: 'another' });
    const foreign = await own(otherId).credentials.create(NEW);
    const open = () => source().open(idOf(accountId), first.id);
    for (const from of [second, foreign]) {
      await world.database.side.$executeRaw`
        UPDATE provider_credentials SET sealed = (SELECT sealed FROM provider_credentials WHERE id = ${from.id}::uuid)
        WHERE id = ${first.id}::uuid`;
      expect(await open()).toBeNull();
    }
    await world.database.side.$executeRaw`
      UPDATE provider_credentials SET account_id = ${accountId}::uuid, name = 'moved' WHERE id = ${foreign.id}::uuid`;
    expect(await source().open(idOf(accountId), foreign.id)).toBeNull();
    expect(await source(randomBytes(32)).open(idOf(accountId), second.id)).toBeNull();
    expect(unreadable.map(({ message }) => message)).toEqual(
      [first.id, first.id, foreign.id, second.id].map((id) => expect.stringContaining(id)),
    );
    expect(await own().credentials.open(first.id, secretKey)).toEqual({ kind: 'unreadable' });
  });

  test('opens with its new key once it is rotated, and forgets the check of the old one', async () => {
    const { credentials } = own();
    const made = await credentials.create(NEW);
    expect(await credentials.recordCheck(made, 'rejected')).toMatchObject({ checkResult: 'rejected' });
    const apiKey = 'sk-rotated-0123456789';
    const rotated = await credentials.rotate(made.id, { apiKey, secretKey });
    expect(rotated).toMatchObject({ shownSuffix: '6789', checkResult: null, checkedAtMs: null });
    expect(await credentials.recordCheck(made, 'ok')).toBeNull();
    expect(await source().open(idOf(accountId), made.id)).toMatchObject({ apiKey });
  });

  test('opens with what its voices may speak at once, until that limit is removed', async () => {
    const { credentials } = own();
    const { id } = await credentials.create({ ...NEW, maxGenerations: 15 });
    expect(await source().open(idOf(accountId), id)).toMatchObject({ maxGenerations: 15 });
    expect(await credentials.setLimits(id, { startsPerSecond: 3 })).toMatchObject({ maxGenerations: 15 });
    await credentials.setLimits(id, { maxGenerations: null });
    expect(await source().open(idOf(accountId), id)).toMatchObject({ maxGenerations: null, startsPerSecond: 3 });
  });

  test('that is rejected stays so until a check finds it accepted: that its provider is unreachable changes nothing', async () => {
    const { credentials } = own();
    const made = await credentials.create(NEW);
    const rejected = await credentials.recordCheck(made, 'rejected');
    expect(await credentials.recordCheck(made, 'unreachable')).toEqual(rejected);
    expect(await credentials.recordCheck(made, 'no_such_model')).toMatchObject({ checkResult: 'no_such_model' });
    expect(await credentials.recordCheck(made, 'unreachable')).toMatchObject({ checkResult: 'unreachable' });
  });

  test('shows nothing of a short key', async () => {
    expect((await own().credentials.create({ ...NEW, apiKey: 'ollama' })).shownSuffix).toBe('');
  });

  test('has a name that is unique in its account, and among the operator’s', async () => {
    await own().credentials.create(NEW);
    await own(otherId).credentials.create(NEW);
    const twice = { code: 'credential_exists', param: 'name' };
    await expect(own().credentials.create({ ...NEW, provider: 'deepgram' })).rejects.toMatchObject(twice);
    const operator = admin.credentialsOf(null);
    const { id } = await operator.create(NEW);
    await expect(operator.create(NEW)).rejects.toMatchObject(twice);
    await operator.remove(id);
  });

  test('beyond the bound of its account is rejected, also in a burst', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `credential ${index}`);
    const made = await Promise.allSettled(names.map((name) => own().credentials.create({ ...NEW, name })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { thing: 'provider_credentials', max: 3 },
    });
  });

  test('for an account that does not exist is rejected', async () => {
    const nobody = admin.credentialsOf(accountIdSchema.parse(randomUUID()));
    await expect(nobody.create(NEW)).rejects.toMatchObject({ code: 'account_not_found' });
  });

  test('is listed once, whatever the size of a page', async () => {
    const { credentials } = own();
    for (const name of ['a', 'b', 'c']) await credentials.create({ ...NEW, name });
    const names: string[] = [];
    for (let after: { createdAtMs: number; id: CredentialId } | null = null; ;) {
      const page: Awaited<ReturnType<typeof credentials.list>> = await credentials.list({ after, limit: 2 });
      names.push(...page.credentials.map(({ name }) => name));
      after = page.credentials.at(-1) ?? null;
      if (!page.hasMore) break;
    }
    expect(names.toSorted()).toEqual(['a', 'b', 'c']);
  });
});

describe('a secret', () => {
  test('opens for its account alone, by its name alone', async () => {
    await own().secrets.set({ name: CRM, value: CANARY, secretKey });
    await own(otherId).secrets.set({ name: CRM, value: 'theirs', secretKey });
    expect(await source().openSecrets(idOf(accountId), [CRM])).toEqual(new Map([[CRM, CANARY]]));
    expect(await source().openSecrets(idOf(accountId), [])).toEqual(new Map());
    await world.database.side.$executeRaw`
      UPDATE account_secrets s SET sealed = o.sealed FROM account_secrets o
      WHERE s.account_id = ${accountId}::uuid AND o.account_id = ${otherId}::uuid`;
    expect(await source().openSecrets(idOf(accountId), [CRM])).toEqual(new Map());
    expect(unreadable[0]?.message).toContain('CRM_TOKEN');
  });

  test('that is set again has its new value; one that is removed is gone', async () => {
    const { secrets } = own();
    await secrets.set({ name: CRM, value: 'old', secretKey });
    await secrets.set({ name: CRM, value: 'new', secretKey });
    expect((await source().openSecrets(idOf(accountId), [CRM])).get(CRM)).toBe('new');
    expect((await secrets.list()).map(({ name }) => name)).toEqual([CRM]);
    expect(await own(otherId).secrets.remove(CRM)).toBe(false);
    expect([await secrets.remove(CRM), await secrets.remove(CRM), await secrets.list()]).toEqual([true, false, []]);
  });

  test('beyond the bound of its account is rejected; setting a known one again is not', async () => {
    const { secrets } = own();
    const set = (name: string) => secrets.set({ name: secretNameSchema.parse(name), value: 'x', secretKey });
    for (const name of ['A', 'B', 'C', 'A']) await set(name);
    await expect(set('D')).rejects.toMatchObject({ thing: 'account_secrets', max: 3 });
  });
});

test('no row and no audit entry contains a key or a secret, as text or sealed under another name', async () => {
  const { id } = await own().credentials.create(NEW);
  await own().credentials.rotate(id, { apiKey: CANARY, secretKey });
  await own().secrets.set({ name: CRM, value: CANARY, secretKey });
  const tables = await world.database.side.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  for (const { name } of tables) {
    const rows = await world.database.side.$queryRawUnsafe<{ text: string }[]>(
      `SELECT t::text AS text FROM "${name}" t`,
    );
    const hex = Buffer.from(CANARY).toString('hex');
    expect(rows.filter(({ text }) => text.includes(CANARY) || text.includes(hex))).toEqual([]);
  }
  const audit = await world.database.side.$queryRaw<{ action: string; actor: string; data: unknown }[]>`
    SELECT action, actor, data FROM audit_entries WHERE data ->> 'account_id' = ${accountId} ORDER BY id`;
  expect(audit.map(({ action, actor }) => `${actor} ${action}`)).toEqual(
    ['credential.create', 'credential.rotate', 'secret.set'].map((action) => `user:anna ${action}`),
  );
  expect(JSON.stringify(audit)).not.toContain('sealed');
});
