import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CALL_STATES, statusesIn } from '@outdial/calls';
import { CALL_STATUSES, endedReasons, type CallStatus } from '@outdial/contracts';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callIn } from '../../test/call-in.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
let client: Client;
beforeAll(async () => {
  world = await createWorld();
  client = new Client({ connectionString: world.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await world.close();
});

const { claimed, answered, finished } = CALL_STATES.transitions;

const isAny = (statuses: readonly CallStatus[]) => statuses.map((status) => `status = '${status}'`).join(' OR ');
const END = `status = '${finished.to}'`;

/** The CHECKs of `calls` that name a status, made from the table. */
const CHECKS = {
  calls_claimed_check: `${isAny([...statusesIn('planned'), ...statusesIn('waiting'), ...statusesIn('over')])} OR
    (epoch > 0 AND worker_id IS NOT NULL AND started_at IS NOT NULL AND lease_expires_at IS NOT NULL)`,
  calls_cost_at_end_check: `cost_micros = 0 OR ${END}`,
  calls_ended_check: `(${END}) = (ended_at IS NOT NULL) AND (${END}) = (ended_reason IS NOT NULL) AND
    (${END}) = (settled_at IS NOT NULL) AND (status <> '${finished.to}' OR started_at IS NOT NULL)`,
  calls_in_progress_check: `status <> '${answered.to}' OR answered_at IS NOT NULL`,
  calls_reservation_check: `${END} OR (${isAny(statusesIn('planned'))}) = (reservation_id IS NULL)`,
};

/** The CHECKs of a table like `calls` that use its status, as Postgres prints them. */
async function checksOnStatus(table: 'calls' | 'wanted'): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.conname AS name, pg_get_constraintdef(c.oid) AS definition
       FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
      WHERE c.conrelid = $1::text::regclass AND c.contype = 'c' AND a.attname = 'status' ORDER BY c.conname`,
    [table],
  );
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
}

test('every CHECK on the status is the one that the call-state table makes', async () => {
  await client.query('CREATE TEMP TABLE wanted (LIKE calls)');
  for (const [name, check] of Object.entries(CHECKS))
    await client.query(`ALTER TABLE wanted ADD CONSTRAINT ${name} CHECK (${check})`);
  const migrated = await checksOnStatus('calls');
  expect(Object.keys(migrated)).toEqual(Object.keys(CHECKS));
  expect(migrated).toEqual(await checksOnStatus('wanted'));
});

test('a call begins in the one status in which it waits for a claim', async () => {
  const { rows } = await client.query<{ value: string }>(
    `SELECT pg_get_expr(d.adbin, d.adrelid) AS value FROM pg_attrdef d
       JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
      WHERE d.adrelid = 'calls'::regclass AND a.attname = 'status'`,
  );
  expect(statusesIn('waiting')).toEqual(claimed.from);
  expect(rows).toEqual([{ value: `'${claimed.from[0]}'::call_status` }]);
  expect(await callIn(world, await world.party(), claimed.from[0])).toMatchObject({ epoch: 0 });
});

test('the partial indexes of calls have the calls of their phase', async () => {
  const party = await world.party();
  for (const status of CALL_STATUSES) await callIn(world, party, status);
  const open = [...statusesIn('waiting'), ...statusesIn('driven')];
  const { rows: indexes } = await client.query<{ name: string; predicate: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_expr(i.indpred, i.indrelid) AS predicate FROM pg_index i
      WHERE i.indrelid = 'calls'::regclass AND i.indpred IS NOT NULL ORDER BY 1`,
  );
  const covered = new Map<string, readonly string[]>();
  for (const { name, predicate } of indexes) {
    const { rows } = await client.query<{ status: string }>(
      `SELECT status FROM calls WHERE account_id = $1 AND ${predicate} ORDER BY status`,
      [party.accountId],
    );
    covered.set(
      name,
      rows.map(({ status }) => status),
    );
  }
  expect(Object.fromEntries(covered)).toEqual({
    calls_ended_reason_idx: statusesIn('over'),
    // Of the calls with an idempotency key, whatever their status: these have none.
    // Of the calls of campaigns: these have none.
    calls_campaign_idx: [],
    calls_campaign_open_idx: [],
    calls_held_idx: open,
    calls_idempotency_key: [],
    calls_planned_idx: statusesIn('planned'),
  });
});

const SRC_DIR = fileURLToPath(new URL('../', import.meta.url));
const STATUS = CALL_STATUSES.join('|');
const REASON = endedReasons.join('|');
const STATEMENT = /(?:Prisma\.sql|\$(?:queryRaw|executeRaw)(?:<[^`]*>)?)`(?<sql>[^`]*)`/g;
const BY_HAND = [
  // A status that is compared, assigned or listed.
  new RegExp(String.raw`status"?\s*(?:=|<>|!=|(?:NOT\s+)?IN|WHEN)\s*\(?\s*'(?:${STATUS})'`, 'i'),
  // Unlike "ended", these words name nothing else in a statement.
  new RegExp(`'(?:${CALL_STATUSES.filter((status) => status !== finished.to).join('|')})'`),
  new RegExp(
    String.raw`reason"?\s*(?:=|<>|!=|(?:NOT\s+)?IN|WHEN)\s*\(?\s*'(?:${REASON})'|'(?:${REASON})'::ended_reason`,
    'i',
  ),
];

test('no statement of this package writes a status or an ended reason by hand', () => {
  const files = readdirSync(SRC_DIR, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('generated'),
  );
  const statements = files.flatMap((path) =>
    [...readFileSync(join(SRC_DIR, path), 'utf8').matchAll(STATEMENT)].map(({ groups }) => ({
      path,
      sql: groups?.['sql'] ?? '',
    })),
  );
  expect(statements.length).toBeGreaterThan(100);
  const byHand = statements.flatMap(({ path, sql }) =>
    BY_HAND.flatMap((pattern) => pattern.exec(sql)?.[0] ?? []).map((text) => `${path}: ${text}`),
  );
  expect(byHand).toEqual([]);
});
