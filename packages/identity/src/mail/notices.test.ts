import { randomUUID } from 'node:crypto';
import { accountIdSchema, type AccountId } from '@outdial/contracts';
import { createDatabase, type Database } from '@outdial/persistence';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createUserAdministration } from '../administer-users.ts';
import { hashPassword } from '../passwords.ts';
import { UnreadableEmail } from './attempt-email.ts';
import { announceNotices, composeNotice } from './notices.ts';

const ENDPOINT = randomUUID();
const URL = 'https://receiver.example/hooks';
/** Computed once: it takes a tenth of a second. */
const hash = hashPassword('correct horse battery');

let stores: TestStores;
let database: Database;
let accountId: AccountId;
beforeAll(async () => {
  stores = await testStores();
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  database = createDatabase({ url: stores.databaseUrl, readPoolSize: 3, ...patience });
});
beforeEach(async () => {
  accountId = accountIdSchema.parse(randomUUID());
  await database.side.$executeRaw`DELETE FROM emails`;
  await database.side.$executeRaw`INSERT INTO accounts (id, name, currency) VALUES (${accountId}::uuid, 'Acme', 'USD')`;
});
afterAll(async () => {
  await database.close();
  await stores.close();
});

async function person(role: 'owner' | 'member', isVerified = true): Promise<string> {
  const users = createUserAdministration(database, { actor: 'test', hash: () => hash });
  const { id } = await users.create({ name: 'Sam', email: `${randomUUID()}@example.com`, password: 'correct horse' });
  await users.addToAccount({ userId: id }, { accountId, role });
  if (!isVerified) await database.side.$executeRaw`UPDATE users SET email_verified_at = NULL WHERE id = ${id}::uuid`;
  return id;
}

async function notice(kind = 'webhook_endpoint_failing', hoursAgo = 0): Promise<string> {
  const [row] = await database.side.$queryRaw<{ id: string }[]>`
    INSERT INTO account_notices (account_id, kind, data, created_at)
    VALUES (${accountId}::uuid, ${kind}, jsonb_build_object('endpoint_id', ${ENDPOINT}::text, 'url', ${URL}::text),
      clock_timestamp() - make_interval(hours => ${hoursAgo}::int)) RETURNING id`;
  return row?.id ?? '';
}

const written = () => database.side.$queryRaw<{ noticeId: string; userId: string; accountId: string }[]>`
  SELECT notice_id AS "noticeId", user_id AS "userId", account_id AS "accountId" FROM emails`;
const dismiss = () => database.side.$executeRaw`UPDATE account_notices SET dismissed_at = now()`;

it('each owner with a verified address gets one e-mail, whichever process writes it', async () => {
  const owners = [await person('owner'), await person('owner')];
  await Promise.all([person('member'), person('owner', false)]);
  const noticeId = await notice();
  await Promise.all([1, 2, 3].map(() => announceNotices(database)));
  const emails = await written();
  expect(emails.map(({ userId }) => userId).toSorted()).toEqual(owners.toSorted());
  for (const email of emails) expect(email).toMatchObject({ noticeId, accountId });
  expect(await announceNotices(database)).toBe(0);
});

it('a notice that was dismissed, or that is days old, is not mailed', async () => {
  await person('owner');
  await notice('webhook_endpoint_failing', 73);
  await notice();
  await dismiss();
  await notice('webhook_endpoint_disabled', 100);
  expect(await announceNotices(database)).toBe(0);
  expect(await written()).toEqual([]);
});

it.each([
  ['webhook_endpoint_failing', 'A webhook endpoint is failing'],
  ['webhook_endpoint_disabled', 'A webhook endpoint was disabled'],
])('the e-mail of %s names the account and the endpoint, and links to it', async (kind, subject) => {
  const userId = await person('owner');
  const noticeId = await notice(kind);
  const email = await composeNotice(database, 'https://calls.example.com', { noticeId, userId });
  expect(email).toMatchObject({
    subject,
    link: `https://calls.example.com/accounts/${accountId}/webhooks/${ENDPOINT}`,
  });
  expect(email?.text).toContain('"Acme"');
  expect(email?.text).toContain(URL);
  expect(email?.text).toContain(email?.link);
});

it.each([
  ['campaign_completed', 'A campaign is completed', 'What became of each contact'],
  ['campaign_budget', 'A campaign has used up its budget', 'raise the budget and resume'],
  ['campaign_funds', 'A campaign waits for funds', 'goes on by itself'],
  ['campaign_upload_failed', 'A file of contacts did not arrive', 'Send the file again'],
])(
  'each owner gets one e-mail of %s, which names the campaign, links to it and says what to do',
  async (kind, subject, advice) => {
    const owners = [await person('owner'), await person('owner')];
    const campaignId = randomUUID();
    const data = { campaign_id: campaignId, name: 'Autumn\nspam', upload: 1, file_name: 'people.csv' };
    await database.side.$executeRaw`
    INSERT INTO account_notices (account_id, kind, data)
    VALUES (${accountId}::uuid, ${kind}, ${JSON.stringify(data)}::jsonb)`;
    await Promise.all([1, 2, 3].map(() => announceNotices(database)));
    const emails = (await written()).filter((email) => email.accountId === accountId);
    expect(emails.map(({ userId }) => userId).toSorted()).toEqual(owners.toSorted());
    const [{ noticeId, userId } = { noticeId: '', userId: '' }] = emails;
    const email = await composeNotice(database, 'https://calls.example.com', { noticeId, userId });
    expect(email).toMatchObject({
      subject,
      link: `https://calls.example.com/accounts/${accountId}/campaigns/${campaignId}`,
    });
    for (const part of ['"Autumn spam"', '"Acme"', advice, email?.link ?? '']) expect(email?.text).toContain(part);
    expect(email?.text.includes('"people.csv"')).toBe(kind === 'campaign_upload_failed');
  },
);

it('nothing is sent to a former owner, or about a dismissed notice', async () => {
  const [owner, former] = [await person('owner'), await person('owner')];
  const known = await notice();
  await database.side.$executeRaw`UPDATE memberships SET role = 'member' WHERE user_id = ${former}::uuid`;
  const compose = (noticeId: string, userId: string) => composeNotice(database, 'https://x', { noticeId, userId });
  expect(await compose(known, former)).toBeNull();
  expect(await compose(known, owner)).not.toBeNull();
  await dismiss();
  expect(await compose(known, owner)).toBeNull();
});

it('a notice of a later kind waits for a version that knows it', async () => {
  const userId = await person('owner');
  const noticeId = await notice('later_kind');
  expect(await announceNotices(database)).toBe(0);
  expect(await database.side.$queryRaw`SELECT mailed_at FROM account_notices WHERE id = ${noticeId}::uuid`).toEqual([
    { mailed_at: null },
  ]);
  await expect(composeNotice(database, 'https://x', { noticeId, userId })).rejects.toThrow(UnreadableEmail);
});
