import {
  callingPolicyCheckSchema,
  callingPolicyEnvelopeSchema,
  callingPolicySettingsSchema,
  callingPolicyVersionsSchema,
  OPEN_POLICY,
} from '@outdial/contracts';
import { everyDay } from '@outdial/policies';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDesk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

/** In Washington, and in New York. */
const ADA = '+12025550143';
const DAY = ['09:00-20:00'];
const WEEK = { mon: DAY, tue: DAY, wed: DAY, thu: DAY, fri: DAY };
const OFFICE = { windows: { default: WEEK }, caps: [{ hours: 24, max: 1 }] };
/** No hour is open. */
const CLOSED = { windows: { default: {} } };

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  account = await api.account({ scopes: ['outbound', 'manage'] });
});
afterAll(() => api.close());

const ask = (method: string, path: string, json?: unknown, key = account.key) =>
  api.request(method, `/account/calling-policy${path}`, { key, ...(json === undefined ? {} : { json }) });
const read = async (key = account.key) =>
  callingPolicyEnvelopeSchema.parse((await ask('GET', '', undefined, key)).json);
const save = (json: unknown, key = account.key) => ask('PUT', '', json, key);
const check = async (json: unknown) => callingPolicyCheckSchema.parse((await ask('POST', '/check', json)).json);
const versions = async (query = '', key = account.key) =>
  callingPolicyVersionsSchema.parse((await ask('GET', `/versions${query}`, undefined, key)).json);

it('GET, 200: an account that never had a policy calls at any hour', async () => {
  expect(await read()).toEqual({
    calling_policy: { ...OPEN_POLICY, version: 0, saved_by: null, saved_at: null },
    floor: null,
  });
  expect(await versions()).toEqual({ versions: [], has_more: false, next_cursor: null });
});

describe('PUT', () => {
  it('200: the policy is in force as the next version, with what was not given', async () => {
    const answer = await save(OFFICE);
    expect(answer.status).toBe(200);
    const saved = callingPolicyEnvelopeSchema.parse(answer.json);
    expect(saved.calling_policy).toMatchObject({ ...callingPolicySettingsSchema.parse(OFFICE), version: 1 });
    expect(saved.calling_policy.windows['default']?.sat).toEqual([]);
    expect(await read()).toEqual(saved);
  });

  it('200: the same policy again makes no version, whatever the order of its fields', async () => {
    const first = await save(OFFICE);
    const again = await save({ caps: OFFICE.caps, windows: OFFICE.windows, pack: null });
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect((await versions()).versions).toHaveLength(1);
  });

  it('two at once make two versions', async () => {
    await Promise.all([save(OFFICE), save(CLOSED)]);
    expect((await versions()).versions.map(({ version }) => version)).toEqual([2, 1]);
  });

  it('400 names the path to what is wrong, and changes nothing', async () => {
    const tooMany = Array.from({ length: 401 }, () => '2026-12-25');
    for (const [json, param] of [
      [{ windows: { default: { mon: ['8:00-21:00'] } } }, 'windows.default.mon.0'],
      [{ windows: { default: { mon: ['20:00-08:00'] } } }, 'windows.default.mon.0'],
      [{ windows: { default: { mon: ['09:00-12:00', '11:00-13:00'] } } }, 'windows.default.mon'],
      [{ windows: { default: { monday: [] } } }, 'windows.default.monday'],
      [{ windows: { florida: {} } }, 'windows.florida'],
      [{ caps: [{ hours: 0, max: 1 }] }, 'caps.0.hours'],
      [{ caps: [{ hours: 24, max: 51 }] }, 'caps.0.max'],
      [{ closed_days: ['25.12.2026'] }, 'closed_days.0'],
      [{ closed_days: tooMany }, 'closed_days'],
      [{ pack: 'eu' }, 'pack'],
      [{ trust_given_zone: 'yes' }, 'trust_given_zone'],
      [{ version: 3 }, 'version'],
    ] as const) {
      const answer = await save(json);
      expect([answer.status, answer.error().param]).toEqual([400, param]);
    }
    expect((await read()).calling_policy.version).toBe(0);
  });

  it('200: the largest policy', async () => {
    const week = everyDay('00:00-00:01', '00:02-00:03', '00:04-00:05', '00:06-24:00');
    const windows = Object.fromEntries(Array.from({ length: 80 }, (_, nth) => [`DE-${100 + nth}`, week]));
    const days = Array.from({ length: 400 }, (_, nth) => new Date(nth * 86_400_000).toISOString().slice(0, 10));
    const largest = { windows: { ...windows, default: week }, closed_days: days };
    // As an editor writes it.
    const body = JSON.stringify(largest, null, 4);
    const answer = await api.request('PUT', '/account/calling-policy', { key: account.key, body });
    expect(answer.status).toBe(200);
    expect((await read()).calling_policy).toMatchObject(largest);
  });

  it('413 beyond the longest body; 403 without the scope manage', async () => {
    expect((await save({ pack: 'x'.repeat(140_000) })).error().code).toBe('body_too_large');
    const { key } = await api.account();
    expect((await save(OFFICE, key)).error().code).toBe('scope_missing');
    expect((await ask('GET', '', undefined, key)).status).toBe(200);
  });
});

it('an account neither reads nor changes the policy of another', async () => {
  const other = await api.account({ scopes: ['outbound', 'manage'] });
  await save(OFFICE, other.key);
  const theirs = await read(other.key);
  await save(CLOSED);
  await save(OPEN_POLICY);
  expect(await read(other.key)).toEqual(theirs);
  expect((await versions()).versions.map(({ version }) => version)).toEqual([2, 1]);
  expect((await versions('', other.key)).versions).toEqual([theirs.calling_policy]);
});

describe('GET /versions', () => {
  it('200: pages, newest first', async () => {
    for (const json of [OFFICE, CLOSED, OPEN_POLICY]) await save(json);
    const first = await versions('?limit=2');
    expect([first.has_more, first.versions.map(({ version }) => version)]).toEqual([true, [3, 2]]);
    const second = await versions(`?limit=2&cursor=${first.next_cursor}`);
    expect([second.has_more, second.next_cursor]).toEqual([false, null]);
    expect(second.versions).toMatchObject([{ version: 1, caps: OFFICE.caps }]);
  });

  it('400: a wrong limit or cursor', async () => {
    for (const query of ['limit=0', 'limit=101', 'cursor=0', 'cursor=x']) {
      const answer = await ask('GET', `/versions?${query}`);
      expect([answer.status, answer.error().param]).toEqual([400, query.split('=')[0]]);
    }
  });
});

describe('POST /check', () => {
  /** The next Wednesday, far from any change of clocks by a few hours. */
  const wednesday = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000);
  wednesday.setUTCDate(wednesday.getUTCDate() + ((10 - wednesday.getUTCDay()) % 7));
  const day = wednesday.toISOString().slice(0, 10);

  it('200: whether the hours are open in each zone, and until or from when', async () => {
    await save(OFFICE);
    // In Washington it is 14:00 or 13:00.
    const open = await check({ number: ADA, at: `${day}T18:00:00Z` });
    expect(open).toMatchObject({
      number: ADA,
      verdict: 'allowed',
      zones: [{ zone: 'America/New_York', open: true }],
      opens_at: null,
      capped_until: null,
      policy_version: 1,
    });
    expect(open.regions).toContain('US');
    const closed = await check({ number: ADA, at: `${day}T07:00:00Z` });
    expect(closed).toMatchObject({ verdict: 'outside_calling_window', zones: [{ open: false }], closes_at: null });
    expect(closed.opens_at?.slice(0, 10)).toBe(day);
    expect(Date.parse(open.closes_at ?? '') - Date.parse(closed.opens_at ?? '')).toBe(11 * 3_600_000);
  });

  it('200: a given zone is judged besides those of the number, or alone where the policy trusts it', async () => {
    const at = `${day}T12:00:00Z`;
    const number = ADA;
    await save({ windows: { default: { wed: ['12:00-23:00'] } } });
    const besides = await check({ number, at, callee_time_zone: 'Europe/Berlin' });
    expect(besides.zones.map(({ zone, open }) => [zone, open])).toEqual([
      ['America/New_York', false],
      ['Europe/Berlin', true],
    ]);
    await save({ windows: { default: { wed: ['12:00-23:00'] } }, trust_given_zone: true });
    const alone = await check({ number, at, callee_time_zone: 'europe/berlin' });
    expect([alone.verdict, alone.zones.map(({ zone }) => zone)]).toEqual(['allowed', ['Europe/Berlin']]);
  });

  it('200: until when a cap keeps the number', async () => {
    await save({ caps: [{ hours: 24, max: 1 }] });
    await api.database.side.$executeRaw`SELECT grant_dial(${account.id}::uuid, ${ADA}, NULL, clock_timestamp())`;
    const now = await check({ number: ADA });
    expect(now).toMatchObject({ verdict: 'frequency_capped', opens_at: null });
    const until = now.capped_until ?? '';
    expect(await check({ number: ADA, at: until })).toMatchObject({ verdict: 'allowed', capped_until: null });
    expect(await check({ number: '+12025550144' })).toMatchObject({ verdict: 'allowed' });
  });

  it('400 names what is wrong', async () => {
    for (const [json, param] of [
      [{}, 'number'],
      [{ number: '2025550143' }, 'number'],
      [{ number: ADA, at: '2026-12-01T09:00:00' }, 'at'],
      [{ number: ADA, at: '1999-12-01T09:00:00Z' }, 'at'],
      [{ number: ADA, callee_time_zone: 'Mars/Olympus' }, 'callee_time_zone'],
      [{ number: ADA, callee_time_zone: '' }, 'callee_time_zone'],
      [{ number: ADA, zone: 'UTC' }, 'zone'],
    ] as const) {
      const answer = await ask('POST', '/check', json);
      expect([answer.status, answer.error().param]).toEqual([400, param]);
    }
  });
});

it('in the dashboard a member reads and checks, only an owner saves, and version and audit name them', async () => {
  const member = await openDesk(api, account.id, 'member');
  const owner = await openDesk(api, account.id);
  const refused = await member.request('PUT', 'account/calling-policy', { json: OFFICE });
  expect([refused.status, refused.error().code]).toEqual([403, 'owner_only']);
  expect((await owner.request('PUT', 'account/calling-policy', { json: OFFICE })).status).toBe(200);
  expect((await member.request('GET', 'account/calling-policy')).status).toBe(200);
  expect((await member.request('POST', 'account/calling-policy/check', { json: { number: ADA } })).status).toBe(200);
  const rows = await api.database.side.$queryRaw<
    { name: string }[]
  >`SELECT name FROM users WHERE id = ${owner.userId}::uuid`;
  expect((await versions()).versions).toMatchObject([{ version: 1, saved_by: rows[0]?.name }]);
  const audit = await api.database.side.$queryRaw`
    SELECT actor, action, subject_id FROM audit_entries WHERE subject_type = 'policy' AND data->>'account_id' = ${account.id}`;
  expect(audit).toEqual([{ actor: `user:${owner.userId}`, action: 'policy.save', subject_id: account.id }]);
});
