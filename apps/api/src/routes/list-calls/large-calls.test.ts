import { randomUUID } from 'node:crypto';
import { callListSchema, callSummaryListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const CALLS = 60;
/** As large as variables could be before they were bounded. Repetitive text is stored in a fraction of its bytes. */
const VARIABLES = Object.fromEntries(Array.from({ length: 58 }, (_, index) => [`name_${index}`, 'x'.repeat(990)]));
const METADATA = { order: 'm'.repeat(4_000) };

let api: TestApi;
let account: TestAccount;
/** Newest first. */
let ids: string[];
beforeAll(async () => {
  api = await openApi({ limits: { OUTDIAL_ACCOUNT_READS: '1' } });
  account = await api.account({ capacity: CALLS });
  ids = [];
  for (let index = 0; index < CALLS; index += 1) {
    const json = { ...account.newCall, metadata: METADATA };
    ids.unshift((await api.request('POST', '/outbound/calls', { key: account.key, json })).call().id);
  }
  await api.database.side.$executeRaw`
    UPDATE calls SET variables = ${JSON.stringify(VARIABLES)}::jsonb WHERE account_id = ${account.id}::uuid`;
});
afterAll(() => api.close());

const list = (query: string, headers = {}) =>
  api.request('GET', `/outbound/calls${query}`, { key: account.key, headers });

describe('a list of large calls', () => {
  it('ends a page at 1 MB, and continues there without missing or repeating a call', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const answer = await list(`?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(1_001_000);
      const page = callListSchema.parse(answer.json);
      // Whole calls, and as many as fit.
      if (page.has_more) expect(Buffer.byteLength(answer.text)).toBeGreaterThan(900_000);
      expect(page.calls[0]?.variables).toEqual(VARIABLES);
      expect(page.has_more).toBe(page.next_cursor !== null);
      seen.push(...page.calls.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids);
  });

  it('returns one call per page if each is larger than a page', async () => {
    const other = await api.account({ capacity: 2 });
    for (let count = 0; count < 2; count += 1) {
      await api.request('POST', '/outbound/calls', { key: other.key, json: other.newCall });
    }
    const metadata = JSON.stringify({ note: 'y'.repeat(1_200_000) });
    await api.database.side.$executeRaw`
      UPDATE calls SET metadata = ${metadata}::jsonb WHERE account_id = ${other.id}::uuid`;
    const first = callListSchema.parse((await api.request('GET', '/outbound/calls', { key: other.key })).json);
    expect([first.calls.length, first.has_more]).toEqual([1, true]);
    const path = `/outbound/calls?cursor=${first.next_cursor}`;
    const second = callListSchema.parse((await api.request('GET', path, { key: other.key })).json);
    expect([second.calls.length, second.has_more]).toEqual([1, false]);
    expect(second.calls[0]?.id).not.toBe(first.calls[0]?.id);
  });

  it('is a summary in the dashboard: all calls in one page, without variables and metadata', async () => {
    const { headers } = await api.signIn({ memberships: [{ accountId: account.id, role: 'member' }] });
    const answer = await api.request('GET', `//api/dashboard/accounts/${account.id}/calls?limit=100`, { headers });
    const page = callSummaryListSchema.parse(answer.json);
    expect(page.calls.map(({ id }) => id)).toEqual(ids);
    expect(answer.text).not.toContain('name_0');
    expect(Buffer.byteLength(answer.text)).toBeLessThan(CALLS * 2_000);
  });

  it('is compressed for a client that accepts it, and small answers are not', async () => {
    const large = await list('?limit=5', { 'Accept-Encoding': 'gzip' });
    expect([large.headers.get('content-encoding'), large.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding']);
    expect(Number(large.headers.get('content-length'))).toBeLessThan(large.text.length / 10);
    expect(callListSchema.parse(large.json).calls).toHaveLength(5);
    const plain = await list('?limit=5', { 'Accept-Encoding': 'identity' });
    expect([plain.headers.get('content-encoding'), plain.text]).toEqual([null, large.text]);
    const small = await api.request('GET', '/account', { key: account.key, headers: { 'Accept-Encoding': 'gzip' } });
    expect(small.headers.get('content-encoding')).toBeNull();
  });
});

it('an account that reads too much at once is rejected beyond its waiting limit; another account is answered', async () => {
  const neighbor = await api.account();
  await api.request('POST', '/outbound/calls', { key: neighbor.key, json: neighbor.newCall });
  const readers = Array.from({ length: 20 }, () => list('?limit=100'));
  const theirs = await Promise.all(
    ['/account', '/outbound/calls', '/account'].map((path) => api.request('GET', path, { key: neighbor.key })),
  );
  expect(theirs.map(({ status }) => status)).toEqual([200, 200, 200]);
  const answers = await Promise.all(readers);
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  // One is read at a time, and four may wait.
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expect([answer.error().code, answer.error().details]).toEqual(['rate_limited', { scope: 'account' }]);
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  expect((await list('')).status).toBe(200);
});

const create = (variables: object) =>
  api.request('POST', '/outbound/calls', {
    key: account.key,
    json: { ...account.newCall, variables },
    headers: { 'Idempotency-Key': randomUUID() },
  });

/** Eight names and texts of 1,001 bytes, and one more name. */
const eightAnd = (last: string) => ({
  ...Object.fromEntries('abcdefgh'.split('').map((name) => [name, 'ü'.repeat(500)])),
  i: last,
});

describe('variables of a new call', () => {
  it('400 above 8 KiB in total, naming the field and the limit', async () => {
    const answer = await create(VARIABLES);
    expect([answer.status, answer.error().code, answer.error().param]).toEqual([400, 'invalid_request', 'variables']);
    expect(answer.error().message).toContain('8192 bytes');
  });

  it('are counted in bytes of UTF-8, names and texts together', async () => {
    const room = 8_192 - 8 * 1_001 - 1;
    expect((await create(eightAnd('x'.repeat(room + 1)))).status).toBe(400);
    expect((await create(eightAnd('x'.repeat(room)))).error().code).not.toBe('invalid_request');
  });
});
