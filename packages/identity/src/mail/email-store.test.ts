import { randomBytes, randomUUID } from 'node:crypto';
import { createDatabase, type Database } from '@outdial/persistence';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EmailContent } from './email-content.ts';
import { createEmailSeal } from './email-seal.ts';
import { readEmailBacklog } from './email-backlog.ts';
import { claimEmails, finishEmail, type ClaimLimits } from './email-store.ts';
import { createStoredOutbox, type Outbox } from './outbox.ts';

const TOKEN = 'the-token-of-a-link';
const seal = createEmailSeal(randomBytes(32));

let stores: TestStores;
let database: Database;
let outbox: Outbox;
beforeAll(async () => {
  stores = await testStores();
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  database = createDatabase({ url: stores.databaseUrl, readPoolSize: 3, ...patience });
  outbox = createStoredOutbox(database, { seal, onWritten: () => undefined });
});
beforeEach(async () => {
  await database.side.$executeRaw`DELETE FROM emails`;
});
afterAll(async () => {
  await database.close();
  await stores.close();
});

const reset = (): EmailContent => ({ kind: 'password_reset', to: 'kim@example.com' });
const invitation = (): EmailContent => ({
  kind: 'invitation',
  to: 'kim@example.com',
  token: TOKEN,
  accountName: 'Acme',
  inviterName: 'Sam',
  inviterEmail: 'sam@example.com',
});

async function write(count: number, content: EmailContent, accountId: string | null = null): Promise<void> {
  for (let n = 0; n < count; n += 1) await outbox.write({ content, accountId, lifetimeSeconds: 3_600 });
}

const LIMITS: ClaimLimits = { most: 8, mostOfAccounts: 4, mostPerAccount: 2, inFlight: new Map(), afterAccount: null };
const claim = async (limits: Partial<ClaimLimits> = {}) =>
  (await claimEmails(database, { ...LIMITS, ...limits })).emails;
const accountsOf = (emails: Awaited<ReturnType<typeof claim>>) => emails.map(({ accountId }) => accountId);
const rows = () => database.side.$queryRaw<{ state: string; row: string; sealed: Uint8Array | null }[]>`
  SELECT e.state, e::text AS row, e.sealed FROM emails e`;

describe('what is due is claimed', () => {
  it('by users first, however much an account has', async () => {
    const account = randomUUID();
    await write(20, invitation(), account);
    await write(3, reset());
    const accounts = accountsOf(await claim({ most: 4 }));
    expect(accounts.map(String).toSorted()).toEqual([account, 'null', 'null', 'null'].toSorted());
  });

  it('in turns of accounts, and no more of one account than its share with what it has in flight', async () => {
    const [busy, quiet] = [randomUUID(), randomUUID()];
    await write(20, invitation(), busy);
    await write(1, invitation(), quiet);
    const accounts = accountsOf(await claim());
    expect([busy, quiet].map((id) => accounts.filter((account) => account === id).length)).toEqual([2, 1]);
    expect(await claim({ inFlight: new Map([[busy, 2]]) })).toEqual([]);
    expect(await claim({ inFlight: new Map([[busy, 1]]) })).toHaveLength(1);
  });

  it('of more accounts than one round looks at, over the rounds', async () => {
    const accounts = Array.from({ length: 130 }, () => randomUUID());
    for (const account of accounts) await write(1, invitation(), account);
    const seen = new Set<string | null>();
    let afterAccount: string | null = null;
    for (let round = 0; round < 2; round += 1) {
      const found = await claimEmails(database, { ...LIMITS, most: 500, mostOfAccounts: 500, afterAccount });
      for (const account of accountsOf(found.emails)) seen.add(account);
      afterAccount = found.lastAccount;
    }
    expect(seen.size).toBe(130);
  });

  it('of each account in turn, even if others have e-mails that wait for longer', async () => {
    const busy = [randomUUID(), randomUUID(), randomUUID()];
    for (const account of busy) await write(5, invitation(), account);
    const quiet = randomUUID();
    await write(1, invitation(), quiet);
    const served: (string | null)[] = [];
    let afterAccount: string | null = null;
    for (let round = 0; round < 4; round += 1) {
      const found = await claimEmails(database, { ...LIMITS, mostOfAccounts: 1, afterAccount });
      served.push(...accountsOf(found.emails));
      afterAccount = found.lastAccount;
    }
    expect(new Set(served)).toEqual(new Set([...busy, quiet]));
  });

  it('of the kinds that this version knows: a newer one sends the others', async () => {
    await write(1, reset());
    await write(1, invitation(), randomUUID());
    await database.side.$executeRaw`UPDATE emails SET kind = 'later_kind'`;
    expect(await claim()).toEqual([]);
    expect(await rows()).toMatchObject([{ state: 'pending' }, { state: 'pending' }]);
  });

  it('once, by two processes at the same moment', async () => {
    await write(8, reset());
    const shares = await Promise.all([claim(), claim(), claim()]);
    const ids = shares.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(8);
  });

  it('again once the claim has expired, with the attempt counted', async () => {
    await write(1, reset());
    await claim();
    expect(await claim()).toEqual([]);
    await database.side.$executeRaw`UPDATE emails SET due_at = clock_timestamp()`;
    expect(await claim()).toMatchObject([{ attempts: 2 }]);
  });
});

describe('what an e-mail says', () => {
  it('is unreadable in the database, and opens for its own row alone', async () => {
    await write(2, invitation());
    for (const { row } of await rows()) expect(row).not.toContain(TOKEN);
    for (const { sealed } of await rows()) expect(Buffer.from(sealed ?? []).includes(TOKEN)).toBe(false);
    const [one, other] = await claim();
    if (!one?.sealed || !other) throw new Error('two are claimed');
    expect(seal.open(one.id, one.sealed)).toEqual(invitation());
    expect(seal.open(other.id, one.sealed)).toBeNull();
  });

  it('opens though a newer version says more', () => {
    const sealed = seal.seal('1', Object.assign(reset(), { locale: 'de' }));
    expect(seal.open('1', sealed)).toEqual(reset());
  });

  it('opens with an older key, and with no unknown one', async () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    const sealed = createEmailSeal(older).seal('1', reset());
    expect(createEmailSeal(newer, older).open('1', sealed)).toEqual(reset());
    expect(createEmailSeal(newer).open('1', sealed)).toBeNull();
  });

  it.each(['sent', 'failed', 'dropped'] as const)('is deleted once it is %s', async (outcome) => {
    await write(1, invitation());
    const [email] = await claim();
    if (!email) throw new Error('one is claimed');
    await finishEmail(database, { ...email, outcome });
    expect(await rows()).toMatchObject([{ state: outcome, sealed: null }]);
    expect(await claim()).toEqual([]);
  });
});

describe('an outcome', () => {
  it('of a process that could not read it counts as no attempt', async () => {
    await write(1, reset());
    for (let n = 0; n < 2; n += 1) {
      const [email] = await claim();
      if (!email) throw new Error('one is claimed');
      expect(email.attempts).toBe(1);
      await finishEmail(database, { ...email, outcome: { dueInMs: 0, isUnread: true } });
    }
    expect(await rows()).toMatchObject([{ state: 'pending', sealed: expect.anything() }]);
  });

  it('of an attempt that is no longer the latest changes nothing, unless it is a success', async () => {
    await write(1, reset());
    const [email] = await claim();
    if (!email) throw new Error('one is claimed');
    await database.side.$executeRaw`UPDATE emails SET due_at = clock_timestamp()`;
    await claim();
    await finishEmail(database, { ...email, outcome: 'failed' });
    await finishEmail(database, { ...email, outcome: { dueInMs: 0 } });
    expect(await rows()).toMatchObject([{ state: 'pending' }]);
    expect(await claim()).toEqual([]);
    await finishEmail(database, { ...email, outcome: 'sent' });
    expect(await rows()).toMatchObject([{ state: 'sent' }]);
  });
});

it('the backlog has the number of e-mails, and how late the oldest is', async () => {
  expect(await readEmailBacklog(database)).toEqual({ pending: 0, oldestDueSeconds: 0 });
  await write(1, reset());
  await write(1, invitation(), randomUUID());
  await database.side.$executeRaw`
    UPDATE emails SET due_at = clock_timestamp() - interval '1 hour' WHERE account_id IS NOT NULL`;
  const backlog = await readEmailBacklog(database);
  expect(backlog.pending).toBe(2);
  expect(backlog.oldestDueSeconds).toBeGreaterThanOrEqual(3_600);
});
