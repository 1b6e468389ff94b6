import { randomUUID } from 'node:crypto';
import { accountRequestEnvelopeSchema, accountRequestListSchema, operatedRequestListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';
import type { SignedIn } from '../../../test/sign-in.ts';

let api: TestApi;
let account: TestAccount;
let owner: SignedIn;
let member: SignedIn;
let stranger: SignedIn;
let operator: SignedIn;
beforeAll(async () => {
  api = await openApi();
  account = await api.account();
  owner = await api.signIn({ memberships: [{ accountId: account.id, role: 'owner' }] });
  member = await api.signIn({ memberships: [{ accountId: account.id, role: 'member' }] });
  stranger = await api.signIn({ memberships: [{ accountId: (await api.account()).id, role: 'owner' }] });
  operator = await api.signIn({ isOperator: true });
});
afterAll(() => api.close());

const own = (method: string, who: SignedIn, json?: unknown, accountId: string = account.id) =>
  api.request(method, `//api/dashboard/accounts/${accountId}/requests`, { headers: who.headers, json });
const desk = (method: string, path: string) =>
  api.request(method, `//api/dashboard/operations/requests${path}`, { headers: operator.headers });
const open = async () => operatedRequestListSchema.parse((await desk('GET', '')).json);
const done = (id: string) => desk('POST', `/${id}/done`);

describe('a request', () => {
  it('of an owner is listed for operators with its account, until an operator marks it done', async () => {
    const sent = await own('POST', owner, { text: '  A number in +44, please.\nThank you. ' });
    expect(sent.status).toBe(201);
    const { request } = accountRequestEnvelopeSchema.parse(sent.json);
    expect(request).toMatchObject({
      text: 'A number in +44, please.\nThank you.',
      created_by: owner.email,
      done_at: null,
    });
    const listed = await open();
    expect(listed.requests).toContainEqual(request);
    expect(request.account).toEqual({ id: account.id, name: 'Acme' });

    const first = accountRequestEnvelopeSchema.parse((await done(request.id)).json).request;
    expect(first.done_at).not.toBeNull();
    expect(accountRequestEnvelopeSchema.parse((await done(request.id)).json).request).toEqual(first);
    expect((await open()).open_count).toBe(listed.open_count - 1);
    expect(operatedRequestListSchema.parse((await desk('GET', '?state=done')).json).requests).toContainEqual(first);
    const { requests } = accountRequestListSchema.parse((await own('GET', member)).json);
    expect(requests).toContainEqual(first);
    const actions = await api.database.side.$queryRaw<{ action: string; actor: string }[]>`
      SELECT action, actor FROM audit_entries WHERE subject_id = ${request.id} ORDER BY id`;
    expect(actions).toEqual([
      { action: 'request.create', actor: `user:${owner.userId}` },
      { action: 'request.done', actor: `user:${operator.userId}` },
    ]);
  });

  it('is one of five open requests per account, even under concurrency; another account has its own five', async () => {
    const { id } = await api.account();
    const crowd = await api.signIn({ memberships: [{ accountId: id, role: 'owner' }] });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => own('POST', crowd, { text: `Request ${at}` }, id)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBe(5);
    const refused = answers.find(({ status }) => status !== 201);
    expect([refused?.status, refused?.error().code]).toEqual([409, 'too_many_open_requests']);
    expect((await own('POST', owner, { text: 'Mine.' })).status).toBe(201);

    const { requests, max_open: maxOpen } = accountRequestListSchema.parse(
      (await own('GET', crowd, undefined, id)).json,
    );
    expect([requests.length, maxOpen]).toEqual([5, 5]);
    await done(requests[0]?.id ?? '');
    expect((await own('POST', crowd, { text: 'One more.' }, id)).status).toBe(201);
    expect((await own('POST', crowd, { text: 'Too many.' }, id)).status).toBe(409);
  });
});

describe('rejected', () => {
  it('403 for a member, 404 for a user of another account', async () => {
    expect((await own('POST', member, { text: 'Mine.' })).error().code).toBe('owner_only');
    expect((await own('POST', stranger, { text: 'Mine.' })).error().code).toBe('account_not_found');
    expect((await own('GET', stranger)).error().code).toBe('account_not_found');
    expect((await own('GET', operator)).error().code).toBe('account_not_found');
  });

  it.each([{}, { text: '' }, { text: ' \n ' }, { text: 'x'.repeat(1_001) }, { text: 'a\0b' }, { text: 5 }])(
    '400 for %j',
    async (json) => {
      const answer = await own('POST', owner, json);
      expect([answer.status, answer.error().param]).toEqual([400, 'text']);
    },
  );

  it('404 for an unknown request; 400 for an unknown state', async () => {
    expect((await done(randomUUID())).error().code).toBe('request_not_found');
    expect((await desk('GET', '?state=lost')).error().param).toBe('state');
  });
});
