import { parseKeyPepper } from '@outdial/secrets';
import type { AccountId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../test/client.ts';
import { openEventStream } from '../../test/event-stream-client.ts';
import { openApi, TEST_PEPPER, type TestApi } from '../../test/open-api.ts';
import type { SignedIn } from '../../test/sign-in.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openApi({
    limits: {
      OUTDIAL_KEY_REQUESTS_PER_SECOND: '10',
      OUTDIAL_ACCOUNT_REQUESTS_PER_SECOND: '20',
      OUTDIAL_ACCOUNT_STREAMS: '2',
      OUTDIAL_ACCOUNT_API_KEYS: '4',
      OUTDIAL_ACCOUNT_AGENTS: '3',
      OUTDIAL_ACCOUNT_INVITATIONS: '2',
    },
  });
});
afterAll(() => api.close());

const pepper = parseKeyPepper(TEST_PEPPER);

async function newKey(accountId: AccountId): Promise<string> {
  invariant(pepper, 'the pepper of the test is long enough');
  return (await api.admin.keys.create({ accountId, name: 'another', pepper })).key;
}

const refusedForAccount = (answers: readonly Answer[]) =>
  answers.filter(({ status }) => status === 429).map((answer) => answer.error().details);

it('the keys of an account share its request limit, and another account is not affected', async () => {
  const account = await api.account();
  const neighbor = await api.account();
  const keys = [account.key, ...(await Promise.all([1, 2, 3, 4, 5].map(() => newKey(account.id))))];
  const sentMs = performance.now();
  // Ten of each key: each key is within its own limit.
  const burst = await Promise.all(
    keys.flatMap((key) => Array.from({ length: 10 }, () => api.request('GET', '/account', { key }))),
  );
  const windows = 1 + Math.floor((performance.now() - sentMs + 50) / 1_000);
  // A process that Redis does not answer in time counts on its own.
  expect(burst.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2 * 20 * windows);
  const refused = burst.filter(({ status }) => status === 429);
  if (windows === 1) expect(refusedForAccount(burst)).toContainEqual({ scope: 'account' });
  for (const answer of refused) expect(answer.headers.get('retry-after')).toBe('1');
  expect((await api.request('GET', '/account', { key: neighbor.key })).status).toBe(200);
});

it('the keys of an account share its event streams, and another account is not affected', async () => {
  const account = await api.account({ requestsPerSecond: 1_000 });
  const neighbor = await api.account({ requestsPerSecond: 1_000 });
  const follow = async (of: typeof account) => {
    const call = await api.request('POST', '/outbound/calls', { key: of.key, json: of.newCall });
    const path = `/api/v1/outbound/calls/${call.call().id}/events`;
    return (key: string) => openEventStream(api.url, { path, headers: { 'X-API-Key': key } });
  };
  const [own, others] = [await follow(account), await follow(neighbor)];
  const open = [await own(account.key), await own(await newKey(account.id))];
  const refused = await own(account.key);
  await refused.ended;
  expect([refused.status, JSON.parse(refused.text()).error]).toMatchObject([
    429,
    { code: 'rate_limited', details: { scope: 'account' } },
  ]);
  open.push(await others(neighbor.key));
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const stream of open) stream.hangUp();
});

const owner = (accountId: AccountId) => api.signIn({ memberships: [{ accountId, role: 'owner' }] });
const create = (what: string, accountId: AccountId, { headers }: SignedIn, json: object) =>
  api.request('POST', `//api/dashboard/accounts/${accountId}/${what}`, { headers, json });

describe('an owner can never create more than the account may have, even in a burst:', () => {
  const settings = { name: 'Reminder', first_message: 'Hello.' };
  it.each([
    ['api-keys', 'api_keys', 4, 1, () => ({ name: 'another', expires_at: null })],
    ['agents', 'agents', 3, 1, () => ({ settings })],
    ['invitations', 'invitations', 2, 0, (index: number) => ({ email: `${index}@example.com`, role: 'member' })],
  ] as const)('%s', async (what, thing, max, alreadyThere, json) => {
    const [account, neighbor] = [await api.account(), await api.account()];
    const [attacker, honest] = [await owner(account.id), await owner(neighbor.id)];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => create(what, account.id, attacker, json(index))),
    );
    // On a busy machine an answer may be late: 503, although the row is stored.
    expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(max - alreadyThere);
    const [rows] = await api.database.side.$queryRawUnsafe<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM ${thing} WHERE account_id = '${account.id}'`,
    );
    expect(rows?.count).toBe(max);
    expect(refusedForAccount(answers)).toContainEqual({ scope: 'account', thing, max });
    const next = await create(what, account.id, attacker, json(8));
    expect([next.status, next.error().code]).toEqual([429, 'rate_limited']);
    expect((await create(what, neighbor.id, honest, json(0))).status).toBe(201);
  });

  it('revoked keys free their place only after a day, so that a loop cannot fill the table', async () => {
    const account = await api.account();
    const user = await owner(account.id);
    const made = await Promise.all([1, 2, 3].map(() => newKey(account.id)));
    expect(made).toHaveLength(3);
    await api.database.side.apiKey.updateMany({ where: { accountId: account.id }, data: { revokedAt: new Date() } });
    const json = { name: 'another', expires_at: null };
    expect((await create('api-keys', account.id, user, json)).status).toBe(429);
    const createdAt = new Date(Date.now() - 25 * 3_600_000);
    await api.database.side.apiKey.updateMany({ where: { accountId: account.id }, data: { createdAt } });
    expect((await create('api-keys', account.id, user, json)).status).toBe(201);
  });
});
