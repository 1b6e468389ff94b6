import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from './open-api.ts';
import type { TestAccount } from './seeds.ts';

let redis: PrivateServer;
let postgres: PrivateServer;
let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
  api = await openApi({ stores: { redisUrl: redis.url, databaseUrl: postgres.url } });
  account = await api.account({ capacity: 1_000, balance: '1000' });
});
afterAll(async () => {
  await api.close();
  await Promise.all([redis.close(), postgres.close()]);
});

const create = () => api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall, once: true });

interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly err?: unknown;
}

/** The log of an operator without debug lines. */
const shownSince = (from: number): readonly LogLine[] =>
  api.logLines
    .slice(from)
    .map((line): LogLine => JSON.parse(line))
    .filter(({ level }) => level !== 'debug' && level !== 'info');

const saidSince = (from: number) => shownSince(from).map(({ msg }) => msg);

describe.each([
  ['Redis', () => redis],
  ['Postgres', () => postgres],
])('%s', (name, server) => {
  it('that is killed and comes back is logged once each, whatever requests arrive in between', async () => {
    const from = api.logLines.length;
    await server().kill();
    await expect.poll(() => saidSince(from)).toContain(`${name} is away`);
    const answers = await Promise.all(Array.from({ length: 100 }, create));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    await server().start();
    await expect.poll(() => saidSince(from)).toContain(`${name} is back`);
    await expect.poll(async () => (await create()).status).toBe(201);
    expect(saidSince(from).filter((line) => line.startsWith(name))).toEqual([`${name} is away`, `${name} is back`]);
    expect(shownSince(from).filter(({ err }) => err !== undefined)).toEqual([]);
  });
});
