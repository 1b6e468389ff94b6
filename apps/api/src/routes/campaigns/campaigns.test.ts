import { randomUUID } from 'node:crypto';
import {
  callEnvelopeSchema,
  callListSchema,
  campaignContactListSchema,
  campaignEnvelopeSchema,
  campaignListSchema,
  campaignUploadEnvelopeSchema,
} from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  account = await api.account();
});
afterAll(() => api.close());

const ask = (method: string, path: string, json?: unknown, key = account.key) =>
  api.request(method, `/campaigns${path}`, { key, ...(json === undefined ? {} : { json }) });
const body = (changes: object = {}) => ({ name: 'Autumn', agent_id: account.agentId, ...changes });
const campaignIn = (answer: { readonly json: unknown }) => campaignEnvelopeSchema.parse(answer.json).campaign;
const create = async (changes: object = {}) => campaignIn(await ask('POST', '', body(changes)));
const contacts = (...numbers: readonly string[]) => ({ contacts: numbers.map((number) => ({ to_number: number })) });
const add = (id: string, ...numbers: readonly string[]) => ask('POST', `/${id}/contacts`, contacts(...numbers));

async function started(changes: object = {}): Promise<string> {
  const { id } = await create(changes);
  await add(id, '+12025550101', '+12025550102');
  expect((await ask('POST', `/${id}/start`)).status).toBe(202);
  return id;
}

const CLOSED_WEEK = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, []]));
const window = (changes: object) => ({ window: { time_zone: 'Europe/Berlin', days: CLOSED_WEEK, ...changes } });
/** Open all day on this day of the week alone. */
const openOn = (day: string) => ({ ...CLOSED_WEEK, [day]: ['00:00-24:00'] });
const dayAhead = (days: number) =>
  new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'Europe/Berlin' })
    .format(Date.now() + days * 86_400_000)
    .toLowerCase();
const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('POST /campaigns', () => {
  it('201: a draft with what the request says, and defaults for the rest', async () => {
    const answer = await ask('POST', '', body({ retry: { max_attempts: 2 }, budget: 12.5, metadata: { a: 1 } }));
    expect(answer.status).toBe(201);
    expect(campaignIn(answer)).toMatchObject({
      state: 'draft',
      name: 'Autumn',
      retry: { max_attempts: 2, on: ['busy', 'no_answer', 'carrier_unavailable'], after_seconds: [900, 3_600, 14_400] },
      budget: 12.5,
      weight: 10,
      from_number: null,
      agent_version: null,
      metadata: { a: 1 },
      progress: { contacts: 0, remaining: 0, waiting: 0, open: 0, done: 0, answer_rate: null, spent_percent: 0 },
    });
  });

  it('400 names the field', async () => {
    for (const [changes, param] of [
      [window({}), 'window.days'],
      [window({ time_zone: 'Europe/Atlantis' }), 'window.time_zone'],
      [{ ...window({ days: openOn(dayAhead(3)) }), ends_at: inFuture(86_400_000) }, 'window.days'],
      [{ starts_at: '2099-12-01T09:00:00' }, 'starts_at'],
      [{ starts_at: inFuture(-120_000) }, 'starts_at'],
      [{ starts_at: inFuture(91 * 86_400_000) }, 'starts_at'],
      [{ ends_at: '2099-12-01 09:00' }, 'ends_at'],
      [{ ends_at: inFuture(366 * 86_400_000) }, 'ends_at'],
      [{ ends_at: inFuture(-1_000) }, 'ends_at'],
      [{ starts_at: inFuture(7_200_000), ends_at: inFuture(3_600_000) }, 'ends_at'],
      [{ default_country: 'ZZ' }, 'default_country'],
      [{ default_country: 'QX' }, 'default_country'],
      [{ retry: { max_attempts: 2, on: ['callee_hangup'] } }, 'retry.on.0'],
      [{ calls_per_second: 0 }, 'calls_per_second'],
      // What Postgres would round to nothing, and what it cannot store.
      [{ calls_per_second: 0.0004 }, 'calls_per_second'],
      [{ budget: 0.000_000_4 }, 'budget'],
      [{ columns: { variables: { 'a\u0000': 'Name' } } }, 'columns.variables.a\u0000'],
      [{ columns: { metadata: { '\ud800': 'Name' } } }, 'columns.metadata.\ud800'],
      [{ webhook_url: 'http://127.0.0.1/x' }, 'webhook_url'],
      [{ note: 'x' }, 'note'],
    ] as const) {
      const answer = await ask('POST', '', body(changes));
      expect([answer.status, answer.error().param]).toEqual([400, param]);
    }
  });

  it('403 for an agent and a number that the account may not use', async () => {
    const agent = await ask('POST', '', body({ agent_id: randomUUID() }));
    expect([agent.status, agent.error().code]).toEqual([403, 'agent_access_denied']);
    const number = await ask('POST', '', body({ from_number: '+12025559999' }));
    expect([number.status, number.error().code]).toEqual([403, 'from_number_not_allowed']);
  });
});

/** A call that is queued, as one of a campaign. */
const place = async (campaign: string) => {
  const answer = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
  const { call } = callEnvelopeSchema.parse(answer.json);
  await api.database.side.$executeRaw`
    UPDATE calls SET campaign_id = ${campaign}::uuid WHERE id = ${call.id}::uuid`;
  return call.id;
};

const stateOf = async (callId: string) => {
  const answer = await api.request('GET', `/outbound/calls/${callId}`, { key: account.key });
  const { status, ended_reason: reason } = callEnvelopeSchema.parse(answer.json).call;
  return [status, reason];
};

describe('steering', () => {
  it('202 where it changes something, 200 where it is so already, 409 with the state where it cannot', async () => {
    const id = await started();
    const states = [];
    for (const verb of ['start', 'pause', 'pause', 'resume', 'resume', 'cancel', 'cancel']) {
      const answer = await ask('POST', `/${id}/${verb}`, verb === 'cancel' ? {} : undefined);
      states.push([verb, answer.status, campaignIn(answer).state]);
    }
    expect(states).toEqual([
      ['start', 200, 'running'],
      ['pause', 202, 'paused'],
      ['pause', 200, 'paused'],
      ['resume', 202, 'running'],
      ['resume', 200, 'running'],
      ['cancel', 202, 'cancelling'],
      ['cancel', 200, 'cancelling'],
    ]);
    const refused = await ask('POST', `/${id}/resume`);
    expect([refused.status, refused.error().code, refused.error().details]).toEqual([
      409,
      'campaign_state',
      { state: 'cancelling' },
    ]);
  });

  it('a start chooses the number, the version and the limits of the calls', async () => {
    const id = await started({ max_duration_seconds: 60 });
    expect(campaignIn(await ask('GET', `/${id}`))).toMatchObject({
      from_number: account.fromNumber,
      agent_version: 1,
      max_duration_seconds: 60,
      ring_timeout_seconds: 30,
    });
  });

  it('distinguishes a campaign that is paused by its budget from one that a member paused', async () => {
    const id = await started({ budget: 1 });
    const heldBy = async () => campaignIn(await ask('GET', `/${id}`)).progress.held_by;
    await ask('POST', `/${id}/pause`);
    expect(await heldBy()).toBeNull();
    await api.database.side.$executeRaw`
      UPDATE campaign_lanes SET held_by = 'budget', held_since = now() WHERE campaign_id = ${id}::uuid`;
    expect(await heldBy()).toBe('budget');
    await ask('PATCH', `/${id}`, { budget: 2 });
    expect(await heldBy()).toBeNull();
  });

  it('400 for a start after its end, or without an hour before it, with what to do', async () => {
    for (const [change, param] of [
      ["ends_at = clock_timestamp() - interval '1 second'", 'ends_at'],
      [`"window" = '${JSON.stringify(window({}).window)}'`, 'window.days'],
    ] as const) {
      const { id } = await create();
      await add(id, '+12025550101');
      await api.database.side.$executeRawUnsafe(`UPDATE campaigns SET ${change} WHERE id = '${id}'`);
      const answer = await ask('POST', `/${id}/start`);
      expect([answer.status, answer.error().param]).toEqual([400, param]);
      expect(answer.error().message).toContain('then start the campaign');
      expect(campaignIn(await ask('GET', `/${id}`)).state).toBe('draft');
    }
  });

  it('429 with the limit for more campaigns than run at once; a resume and a start alike', async () => {
    const paused = await started();
    await ask('POST', `/${paused}/pause`);
    const { id } = await create();
    await add(id, '+12025550101');
    const { side } = api.database;
    await side.$executeRaw`
      INSERT INTO campaigns (account_id, name, state, agent_id, agent_version, columns, created_by)
      SELECT account_id, 'Busy', 'scheduled', agent_id, 1, '{}', 'test' FROM campaigns, generate_series(1, 20)
      WHERE id = ${id}::uuid`;
    for (const path of [`/${id}/start`, `/${paused}/resume`]) {
      const answer = await ask('POST', path);
      expect([path, answer.error().code, answer.error().details]).toEqual([path, 'too_many_campaigns', { limit: 20 }]);
      expect(answer.error().message).toContain('Pause one');
    }
    await side.$executeRaw`
      UPDATE campaigns SET state = 'paused' WHERE account_id = ${account.id}::uuid AND name = 'Busy'`;
    expect((await ask('POST', `/${paused}/resume`)).status).toBe(202);
  });

  it('a cancellation ends open calls of its campaign alone, and only with hang_up', async () => {
    const [id, other] = [await started(), await started()];
    const [own, neighbor] = [await place(id), await place(other)];
    expect((await ask('POST', `/${id}/cancel`, {})).status).toBe(202);
    expect(await stateOf(own)).toEqual(['queued', null]);
    expect((await ask('POST', `/${id}/cancel`, { hang_up: true })).status).toBe(200);
    expect(await stateOf(own)).toEqual(['ended', 'cancelled']);
    expect(await stateOf(neighbor)).toEqual(['queued', null]);
  });

  it('409 for a start without contacts', async () => {
    const { id } = await create();
    const answer = await ask('POST', `/${id}/start`);
    expect([answer.status, answer.error().code]).toEqual([409, 'campaign_empty']);
  });
});

describe('PATCH /campaigns/{id}', () => {
  it('changes pace and name of a running campaign, and the agent only of a paused one', async () => {
    const id = await started();
    const changed = await ask('PATCH', `/${id}`, { name: 'Winter', calls_per_second: 3 });
    expect(campaignIn(changed)).toMatchObject({ name: 'Winter', calls_per_second: 3, state: 'running' });
    const refused = await ask('PATCH', `/${id}`, { agent_id: account.agentId });
    expect([refused.status, refused.error().details]).toEqual([409, { state: 'running' }]);
    await ask('POST', `/${id}/pause`);
    const fixed = await ask('PATCH', `/${id}`, { agent_id: account.agentId, from_number: null, retry: null });
    expect(campaignIn(fixed)).toMatchObject({ agent_version: 1, from_number: account.fromNumber, retry: null });
  });

  it('409 with the state for each field that is fixed while it runs, and nothing changes', async () => {
    const id = await started();
    const before = campaignIn(await ask('GET', `/${id}`));
    for (const change of [
      { agent_id: account.agentId },
      { from_number: account.fromNumber },
      { columns: { to_number: 'Phone' } },
      { default_country: 'DE' },
      { retry: null },
      { max_duration_seconds: 60 },
      { ring_timeout_seconds: 20 },
      { webhook_url: null },
      { starts_at: null },
      { metadata: {} },
      { name: 'Winter', metadata: {} },
    ]) {
      const answer = await ask('PATCH', `/${id}`, change);
      const error = answer.error();
      expect([change, answer.status, error.code, error.details]).toEqual([
        change,
        409,
        'campaign_state',
        { state: 'running' },
      ]);
    }
    expect(campaignIn(await ask('GET', `/${id}`))).toEqual(before);
  });

  it('400 names the field for hours that are over before they open', async () => {
    const id = await started();
    const never = await ask('PATCH', `/${id}`, window({}));
    expect([never.status, never.error().param]).toEqual([400, 'window.days']);
    expect((await ask('PATCH', `/${id}`, window({ days: openOn(dayAhead(3)) }))).status).toBe(200);
    const early = await ask('PATCH', `/${id}`, { ends_at: inFuture(86_400_000) });
    expect([early.status, early.error().param]).toEqual([400, 'ends_at']);
  });

  it('400 for an end that is before the start', async () => {
    const { id } = await create({ starts_at: inFuture(7_200_000) });
    const answer = await ask('PATCH', `/${id}`, { ends_at: inFuture(3_600_000) });
    expect([answer.status, answer.error().param]).toEqual([400, 'ends_at']);
  });
});

describe('DELETE /campaigns/{id}', () => {
  it('204 deletes a draft; 404 from then on, and it is listed no more', async () => {
    const { id } = await create();
    await add(id, '+12025550101');
    const answer = await ask('DELETE', `/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/start'],
      ['POST', '/pause'],
      ['GET', '/contacts'],
      ['GET', '/uploads/1'],
      ['GET', '/results.csv'],
    ] as const)
      expect([path, (await ask(method, `/${id}${path}`)).status]).toEqual([path, 404]);
    expect(campaignListSchema.parse((await ask('GET', '')).json).campaigns).toEqual([]);
  });

  it('409 says what to do first, and changes nothing', async () => {
    const id = await started();
    const refused = await ask('DELETE', `/${id}`);
    expect(refused.error()).toMatchObject({ code: 'campaign_state', details: { state: 'running' } });
    expect(refused.error().message).toContain('Cancel it first, then delete it.');
    await ask('POST', `/${id}/cancel`, {});
    const again = await ask('DELETE', `/${id}`);
    expect([again.status, again.error().message]).toEqual([409, expect.stringContaining('Retry once it is cancelled')]);
    expect((await ask('GET', `/${id}`)).status).toBe(200);
  });

  it('keeps the calls of a campaign that is over, which are listed by it', async () => {
    const id = await started();
    const callId = await place(id);
    await api.database.side.$executeRaw`
      UPDATE campaigns SET state = 'completed', ended_at = now() WHERE id = ${id}::uuid`;
    expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    const key = account.key;
    const { calls } = callListSchema.parse(
      (await api.request('GET', `/outbound/calls?campaign_id=${id}`, { key })).json,
    );
    expect(calls).toMatchObject([{ id: callId }]);
  });
});

describe('contacts', () => {
  it('201: counts duplicates, and the request may be repeated', async () => {
    const { id } = await create();
    const first = campaignUploadEnvelopeSchema.parse((await add(id, '+12025550101', '+12025550101')).json).upload;
    expect(first).toMatchObject({ number: 1, state: 'ready', rows: 2, accepted: 1, duplicates: 1, errors: [] });
    const again = campaignUploadEnvelopeSchema.parse((await add(id, '+12025550101')).json).upload;
    expect(again).toMatchObject({ number: 2, accepted: 0, duplicates: 1 });
    expect(campaignIn(await ask('GET', `/${id}`)).progress).toMatchObject({ contacts: 1, remaining: 1 });
  });

  it('400 names what is wrong with each, and none is added', async () => {
    const greeting = await api.account({ firstMessage: 'Hello {{name}}.' });
    const made = await ask('POST', '', { name: 'x', agent_id: greeting.agentId }, greeting.key);
    const { id } = campaignIn(made);
    const wrong = [
      { to_number: '+12025550101', variables: { name: 'Ada' } },
      { to_number: '+12025550102' },
      { to_number: '+499999999', variables: { name: 'Ben' }, time_zone: 'Mars/Olympus' },
      // As a file could not name it either.
      { to_number: '+12025550103', variables: { name: '' } },
      { to_number: '+12025550104', variables: { name: ' \t' } },
    ];
    const answer = await ask('POST', `/${id}/contacts`, { contacts: wrong }, greeting.key);
    expect(answer.status).toBe(400);
    expect(answer.error().details).toMatchObject([
      { param: 'contacts.1.variables.name' },
      { param: 'contacts.2.to_number' },
      { param: 'contacts.2.time_zone' },
      { param: 'contacts.3.variables.name', message: 'is empty, and the agent needs it' },
      { param: 'contacts.4.variables.name', message: 'is empty, and the agent needs it' },
    ]);
    expect(campaignIn(await ask('GET', `/${id}`, undefined, greeting.key)).progress.contacts).toBe(0);
  });

  it('by outcome: those without a call once it is over; 400 names what an outcome may be', async () => {
    const id = await started();
    const listed = async (outcome: string) =>
      campaignContactListSchema.parse((await ask('GET', `/${id}/contacts?outcome=${outcome}`)).json).contacts;
    expect(await listed('not_dialled')).toEqual([]);
    await ask('POST', `/${id}/cancel`, {});
    expect(await listed('not_dialled')).toMatchObject([
      { line: 1, outcome: 'not_dialled', call_id: null },
      { line: 2, outcome: 'not_dialled' },
    ]);
    expect(await listed('busy')).toEqual([]);
    for (const wrong of ['unknown', 'not_dialed', '', 'busy,declined']) {
      const answer = await ask('GET', `/${id}/contacts?outcome=${wrong}`);
      expect([answer.status, answer.error().param]).toEqual([400, 'outcome']);
      expect(answer.error().message).toMatch(/must be one of .*busy.*not_dialled/);
    }
  });

  it('are listed in their order, in pages', async () => {
    const { id } = await create();
    await add(id, '+12025550103', '+12025550101');
    await add(id, '+12025550102');
    const first = campaignContactListSchema.parse((await ask('GET', `/${id}/contacts?limit=2`)).json);
    expect(first.contacts).toMatchObject([
      { upload: 1, line: 1, number: '+12025550103', attempts: 0, call_id: null, outcome: null },
      { upload: 1, line: 2, number: '+12025550101' },
    ]);
    const rest = campaignContactListSchema.parse(
      (await ask('GET', `/${id}/contacts?cursor=${first.next_cursor ?? ''}`)).json,
    );
    expect(rest).toMatchObject({ contacts: [{ upload: 2, line: 1 }], has_more: false, next_cursor: null });
  });
});

describe('another account', () => {
  it('404 for each route, like a campaign that never existed; nothing is listed or changed', async () => {
    const id = await started();
    const { key } = await api.account();
    for (const of of [id, randomUUID()]) {
      for (const [method, path, json] of [
        ['GET', `/${of}`],
        ['PATCH', `/${of}`, { name: 'x' }],
        ['POST', `/${of}/start`],
        ['POST', `/${of}/pause`],
        ['POST', `/${of}/resume`],
        ['POST', `/${of}/cancel`, { hang_up: true }],
        ['POST', `/${of}/contacts`, contacts('+12025550105')],
        ['GET', `/${of}/contacts`],
        ['GET', `/${of}/contacts?outcome=busy`],
        ['GET', `/${of}/results.csv`],
      ] as const) {
        const answer = await ask(method, path, json, key);
        expect([method, path, answer.status, answer.error().code]).toEqual([method, path, 404, 'campaign_not_found']);
      }
      for (const path of [`/${of}/uploads/1`, `/${of}/uploads/1/errors.csv`]) {
        const answer = await ask('GET', path, undefined, key);
        expect([path, answer.status, answer.error().code]).toEqual([path, 404, 'upload_not_found']);
      }
    }
    expect(campaignListSchema.parse((await ask('GET', '', undefined, key)).json).campaigns).toEqual([]);
    const calls = await api.request('GET', `/outbound/calls?campaign_id=${id}`, { key });
    expect(callListSchema.parse(calls.json).calls).toEqual([]);
    expect(campaignIn(await ask('GET', `/${id}`)).state).toBe('running');
  });
});
