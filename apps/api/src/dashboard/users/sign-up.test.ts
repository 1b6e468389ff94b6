import { randomUUID } from 'node:crypto';
import { accountEnvelopeSchema, sessionEnvelopeSchema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../../test/browser.ts';
import type { Answer } from '../../../test/client.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openApi({ dashboard: { OUTDIAL_SIGN_UP_CURRENCY: 'EUR' } });
});
afterAll(() => api.close());

const newUser = () => ({ name: 'Sam', email: `${randomUUID()}@example.com`, password: 'correct horse battery' });
const codeOf = (answer: Answer) => `${answer.status} ${answer.error().code}`;
const sessionIn = (answer: Answer) => sessionEnvelopeSchema.parse(answer.json).session;

describe('signing up', () => {
  it('201: creates a user and an account, and signs the user in', async () => {
    const browser = openBrowser(api);
    const json = { ...newUser(), account_name: 'Acme' };
    const answer = await browser.request('POST', 'users', { json });
    expect(answer.status).toBe(201);
    const { user, memberships } = sessionIn(answer);
    expect(user).toEqual({
      id: user.id,
      name: 'Sam',
      email: json.email,
      email_verified: false,
      is_operator: false,
    });
    const [membership, ...others] = memberships;
    invariant(membership, 'there is an account');
    expect([membership, others]).toEqual([
      { account_id: membership.account_id, account_name: 'Acme', currency: 'EUR', role: 'owner' },
      [],
    ]);
    const account = await browser.request('GET', `accounts/${membership.account_id}/account`);
    expect(accountEnvelopeSchema.parse(account.json).account).toMatchObject({ name: 'Acme', wallet: { balance: 0 } });
    const { email, password } = json;
    expect((await openBrowser(api).request('POST', 'session', { json: { email, password } })).status).toBe(200);
  });

  it('names the account after the user by default', async () => {
    const answer = await openBrowser(api).request('POST', 'users', { json: newUser() });
    expect(sessionIn(answer).memberships[0]?.account_name).toBe('Sam’s account');
  });

  it('409 email_taken in any case, and creates neither user nor account', async () => {
    const json = newUser();
    await openBrowser(api).request('POST', 'users', { json });
    const before = (await api.admin.accounts.list()).length;
    const again = { ...json, email: json.email.toUpperCase(), password: 'another one altogether' };
    expect(codeOf(await openBrowser(api).request('POST', 'users', { json: again }))).toBe('409 email_taken');
    expect((await api.admin.accounts.list()).length).toBe(before);
    const { email, password } = json;
    expect((await openBrowser(api).request('POST', 'session', { json: { email, password } })).status).toBe(200);
  });

  it('of two concurrent sign-ups with one address, one succeeds', async () => {
    const json = newUser();
    const answers = await Promise.all([1, 2].map(() => openBrowser(api).request('POST', 'users', { json })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });

  it('400 invalid_request for a short password, an empty name, or a request to be an operator', async () => {
    for (const fields of [{ password: 'too short' }, { name: ' ' }, { is_operator: true }, { isOperator: true }])
      expect(codeOf(await openBrowser(api).request('POST', 'users', { json: { ...newUser(), ...fields } }))).toBe(
        '400 invalid_request',
      );
  });

  it('400 invalid_request for a user or account name that is invisible or changes the writing direction', async () => {
    for (const field of ['name', 'account_name']) {
      for (const name of ['\uFEFF\u200B', 'Sam\u202E']) {
        const json = { ...newUser(), [field]: name };
        const answer = await openBrowser(api).request('POST', 'users', { json });
        expect([answer.status, answer.error().param]).toEqual([400, field]);
      }
    }
  });

  it('403 origin_not_allowed from another site', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-site' };
    expect(codeOf(await openBrowser(api).request('POST', 'users', { json: newUser(), headers }))).toBe(
      '403 origin_not_allowed',
    );
  });

  it('ends the browser’s earlier session', async () => {
    const browser = openBrowser(api);
    await browser.request('POST', 'users', { json: newUser() });
    const former = browser.token();
    await browser.request('POST', 'users', { json: newUser() });
    browser.setToken(former);
    await expect.poll(async () => (await browser.request('GET', 'session')).status).toBe(401);
  });
});

describe('where sign-up requires an invitation', () => {
  let closed: TestApi;
  beforeAll(async () => {
    closed = await openApi({ dashboard: { OUTDIAL_SIGN_UP: 'invited' } });
  });
  afterAll(() => closed.close());

  it('403 sign_up_closed without an invitation, and no user is created', async () => {
    const json = newUser();
    expect(codeOf(await openBrowser(closed).request('POST', 'users', { json }))).toBe('403 sign_up_closed');
    const { email, password } = json;
    expect((await openBrowser(closed).request('POST', 'session', { json: { email, password } })).status).toBe(401);
  });

  it('201 with one, and the user joins only that account', async () => {
    const account = await closed.account();
    const owner = await closed.signIn({ memberships: [{ accountId: account.id, role: 'owner' }] });
    const user = newUser();
    const { token } = await invite(closed, account.id, owner.headers, user.email);
    const answer = await openBrowser(closed).request('POST', 'users', { json: { ...user, invitation: token } });
    expect(sessionIn(answer).memberships).toEqual([
      { account_id: account.id, account_name: 'Acme', currency: 'USD', role: 'member' },
    ]);
  });
});

async function invite(of: TestApi, accountId: string, headers: Readonly<Record<string, string>>, email: string) {
  const json = { email, role: 'member' };
  const answer = await of.request('POST', `//api/dashboard/accounts/${accountId}/invitations`, { headers, json });
  const token = /#token=([\w-]+)/.exec(answer.text)?.[1];
  invariant(token, 'the link has a token');
  return { token };
}
