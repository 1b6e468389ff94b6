import { randomUUID } from 'node:crypto';
import { createDatabase, type Database } from '@outdial/persistence';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUserAdministration } from './administer-users.ts';
import { deleteExpired, sweepExpired, type Expiring } from './sweep.ts';

const TABLES = [
  'sessions',
  'verifications',
  'emailVerifications',
  'invitations',
  'emails',
] as const satisfies readonly Expiring[];
const each = (count: number): Record<Expiring, number> => ({
  sessions: count,
  verifications: count,
  emailVerifications: count,
  invitations: count,
  emails: count,
});
const NOTHING = each(0);

let stores: TestStores;
let database: Database;
let userId: string;
let accountId: string;
beforeEach(async () => {
  stores = await testStores();
  database = createDatabase({
    url: stores.databaseUrl,
    readPoolSize: 3,
    queryTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
  });
  const email = `${randomUUID()}@example.com`;
  const users = createUserAdministration(database, { actor: 'test' });
  ({ id: userId } = await users.create({ name: 'Sam', email, password: randomUUID() }));
  accountId = randomUUID();
  await database.side.$executeRaw`INSERT INTO accounts (id, name, currency) VALUES (${accountId}::uuid, 'Acme', 'USD')`;
});
afterEach(async () => {
  await database.close();
  await stores.close();
});

const sweep = (maxBatch?: number) =>
  sweepExpired(database, { stopping: new AbortController().signal, ...(maxBatch === undefined ? {} : { maxBatch }) });

/** Inserts `count` rows of each kind that expire in `seconds`; negative: already expired. */
async function begin(count: number, seconds: number): Promise<void> {
  const { side } = database;
  await side.$executeRaw`
    INSERT INTO sessions (id, user_id, token, expires_at)
    SELECT gen_random_uuid(), ${userId}::uuid, left(md5(random()::text) || md5(random()::text), 43),
      timezone('utc', now()) + make_interval(secs => ${seconds}) FROM generate_series(1, ${count}::int)`;
  await side.$executeRaw`
    INSERT INTO verifications (id, identifier, value, expires_at)
    SELECT gen_random_uuid(), left(md5(random()::text) || md5(random()::text), 43), ${userId},
      timezone('utc', now()) + make_interval(secs => ${seconds}) FROM generate_series(1, ${count}::int)`;
  // A user has one of these at a time.
  await side.$executeRaw`
    WITH made AS (
      INSERT INTO users (id, name, email)
      SELECT gen_random_uuid(), 'Kim', gen_random_uuid() || '@example.com' FROM generate_series(1, ${count}::int) RETURNING id
    )
    INSERT INTO email_verifications (id, user_id, token_digest, expires_at)
    SELECT gen_random_uuid(), id, left(md5(random()::text) || md5(random()::text), 43),
      now() + make_interval(secs => ${seconds}) FROM made`;
  await side.$executeRaw`
    INSERT INTO invitations (id, account_id, email, role, token_digest, created_at, expires_at)
    SELECT gen_random_uuid(), ${accountId}::uuid, gen_random_uuid() || '@example.com', 'member',
      left(md5(random()::text) || md5(random()::text), 43), now() - interval '8 days',
      now() + make_interval(secs => ${seconds}) FROM generate_series(1, ${count}::int)`;
  // Kept for a week after the link has expired.
  await side.$executeRaw`
    INSERT INTO emails (id, kind, expires_at)
    SELECT gen_random_uuid(), 'invitation', now() - interval '7 days' + make_interval(secs => ${seconds})
    FROM generate_series(1, ${count}::int)`;
}

async function left() {
  const [row] = await database.side.$queryRaw<Record<Expiring, number>[]>`
    SELECT (SELECT count(*)::int FROM sessions) AS sessions, (SELECT count(*)::int FROM verifications) AS verifications,
      (SELECT count(*)::int FROM email_verifications) AS "emailVerifications",
      (SELECT count(*)::int FROM invitations) AS invitations, (SELECT count(*)::int FROM emails) AS emails`;
  return row;
}

it('expired rows are deleted and valid rows stay', async () => {
  await begin(3, -1);
  await begin(2, 3_600);
  expect(await sweep()).toEqual(each(3));
  expect(await left()).toEqual(each(2));
  expect(await sweep()).toEqual(NOTHING);
});

it('an accepted invitation stays as a record', async () => {
  await begin(1, -1);
  await database.side.$executeRaw`UPDATE invitations SET accepted_at = now(), accepted_by = ${userId}::uuid`;
  expect(await sweep()).toMatchObject({ invitations: 0 });
  expect(await left()).toMatchObject({ invitations: 1 });
});

it('expired rows are deleted in batches, and no batch starts after a stop request', async () => {
  await begin(25, -1);
  expect(await sweepExpired(database, { stopping: AbortSignal.abort() })).toEqual(NOTHING);
  expect(await sweep(10)).toEqual(each(25));
});

it('concurrent sweeps share the expired rows and delete all of them', async () => {
  await begin(200, -1);
  const shares = await Promise.all([sweep(10), sweep(10), sweep(10)]);
  for (const table of TABLES) expect(shares.reduce((sum, share) => sum + share[table], 0)).toBe(200);
});

it('a session that is renewed during a sweep stays, and the sweep does not wait for it', async () => {
  await begin(2, -1);
  const { side } = database;
  const putOff = async (transaction: Pick<Database['side'], '$executeRaw'>) => {
    await transaction.$executeRaw`
      UPDATE sessions SET expires_at = timezone('utc', now()) + interval '7 days'
      WHERE id = (SELECT id FROM sessions LIMIT 1)`;
    expect(await sweep()).toMatchObject({ sessions: 1 });
  };
  await side.$transaction(putOff, { timeout: 60_000 });
  expect(await sweep()).toMatchObject({ sessions: 0 });
  expect(await left()).toMatchObject({ sessions: 1 });
});

describe('expired rows are found by an index', () => {
  it.each(TABLES)('%s', async (kind) => {
    const table = kind === 'emailVerifications' ? 'email_verifications' : kind;
    await begin(5_000, 3_600);
    await begin(5, -1);
    await database.side.$executeRawUnsafe(`ANALYZE ${table}`);
    const { text, values } = deleteExpired(kind, 1_000);
    const plan = await database.side.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, ...values);
    const lines = plan.map((row) => row['QUERY PLAN']);
    expect(lines.find((line) => line.includes('_expires_at_idx'))).toContain(`Index Scan using ${table}_`);
    expect(lines.filter((line) => line.includes('Seq Scan'))).toEqual([]);
  });
});
