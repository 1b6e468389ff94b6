import { randomUUID } from 'node:crypto';
import { operatedUserEnvelopeSchema, operatedUserListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestOptions } from '../../../../test/client.ts';
import { openApi, type TestApi } from '../../../../test/open-api.ts';
import type { SignedIn } from '../../../../test/sign-in.ts';

let api: TestApi;
let operator: SignedIn;
beforeAll(async () => {
  api = await openApi();
  operator = await api.signIn({ isOperator: true });
});
afterAll(() => api.close());

const ask = (method: string, path: string, options: RequestOptions = {}, who = operator) =>
  api.request(method, `//api/dashboard/operations/users${path}`, { ...options, headers: who.headers });
const list = async (query: string) => operatedUserListSchema.parse((await ask('GET', query)).json);
const sessionOf = async ({ headers }: SignedIn) =>
  (await api.request('GET', '//api/dashboard/session', { headers })).status;
const signInAs = ({ email, password }: SignedIn) =>
  api.request('POST', '//api/dashboard/session', {
    json: { email, password },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
const actionsOn = async (userId: string) =>
  (
    await api.database.side.$queryRaw<{ action: string }[]>`
      SELECT action FROM audit_entries
      WHERE subject_id = ${userId} AND actor = ${`user:${operator.userId}`} ORDER BY id`
  ).map(({ action }) => action);

describe('GET /operations/users', () => {
  it('200: finds by part of the address, with memberships, in pages, each user once', async () => {
    const { id } = await api.account();
    const user = await api.signIn({ memberships: [{ accountId: id, role: 'owner' }] });
    const [found] = (await list(`?search=${user.email.slice(3, 25)}`)).users;
    expect(found).toMatchObject({
      id: user.userId,
      email: user.email,
      enabled: true,
      is_operator: false,
      memberships: [{ account_id: id, account_name: 'Acme', role: 'owner' }],
    });
    const first = await list('?limit=1');
    const second = await list(`?limit=100&after=${first.next_after}`);
    const all = (await list('?limit=100')).users.map((each) => each.id);
    expect([...first.users, ...second.users].map((each) => each.id)).toEqual(all);
  });

  it.each(['?limit=0', '?after=x', '?search=%00', '?more=1'])('400: %s', async (query) => {
    expect((await ask('GET', query)).status).toBe(400);
  });
});

describe('PUT …/operator', () => {
  it('200: grants and removes the role within a second', async () => {
    const user = await api.signIn();
    const mayList = async () => (await ask('GET', '', {}, user)).status;
    expect(await mayList()).toBe(403);
    const given = await ask('PUT', `/${user.userId}/operator`, { json: { is_operator: true } });
    expect(operatedUserEnvelopeSchema.parse(given.json).user.is_operator).toBe(true);
    await expect.poll(mayList).toBe(200);
    await ask('PUT', `/${user.userId}/operator`, { json: { is_operator: false } });
    await expect.poll(mayList).toBe(403);
    expect(await actionsOn(user.userId)).toEqual(['user.set_operator', 'user.unset_operator']);
  });
});

describe('PUT …/enabled', () => {
  it('200: a disabled user loses every session and cannot sign in until enabled', async () => {
    const user = await api.signIn();
    expect(await sessionOf(user)).toBe(200);
    const disabled = await ask('PUT', `/${user.userId}/enabled`, { json: { enabled: false } });
    expect(operatedUserEnvelopeSchema.parse(disabled.json).user.enabled).toBe(false);
    await expect.poll(() => sessionOf(user)).toBe(401);
    const refused = await signInAs(user);
    expect([refused.status, refused.error().code]).toEqual([401, 'sign_in_failed']);
    const sessions = await api.database.side.$queryRaw<unknown[]>`
      SELECT id FROM sessions WHERE user_id = ${user.userId}::uuid`;
    expect(sessions).toEqual([]);
    await ask('PUT', `/${user.userId}/enabled`, { json: { enabled: true } });
    expect((await signInAs(user)).status).toBe(200);
    expect(await actionsOn(user.userId)).toEqual(['user.disable', 'user.enable']);
  });
});

describe('DELETE …/sessions', () => {
  it('200: the user is signed out everywhere, and may sign in again', async () => {
    const user = await api.signIn();
    expect((await ask('DELETE', `/${user.userId}/sessions`)).status).toBe(200);
    await expect.poll(() => sessionOf(user)).toBe(401);
    expect((await signInAs(user)).status).toBe(200);
    expect(await actionsOn(user.userId)).toEqual(['user.end_sessions']);
  });
});

describe('rejected', () => {
  it('409: operators cannot disable themselves or remove their own role', async () => {
    const answers = [
      await ask('PUT', `/${operator.userId}/enabled`, { json: { enabled: false } }),
      await ask('PUT', `/${operator.userId}/operator`, { json: { is_operator: false } }),
    ];
    expect(answers.map((answer) => answer.error().code)).toEqual(['own_user', 'own_user']);
    expect((await ask('GET', '')).status).toBe(200);
  });

  it('404: unknown user', async () => {
    const id = randomUUID();
    const answers = [
      await ask('PUT', `/${id}/enabled`, { json: { enabled: false } }),
      await ask('PUT', `/${id}/operator`, { json: { is_operator: true } }),
      await ask('DELETE', `/${id}/sessions`),
    ];
    expect(answers.map((answer) => answer.error().code)).toEqual(Array(3).fill('user_not_found'));
  });

  it.each([
    ['PUT', '/x/enabled', { enabled: true }, 'user_id'],
    ['PUT', `/${randomUUID()}/enabled`, {}, 'enabled'],
    ['PUT', `/${randomUUID()}/operator`, { is_operator: 'yes' }, 'is_operator'],
  ])('400: %s %s %j', async (method, path, json, param) => {
    const answer = await ask(method, path, { json });
    expect([answer.status, answer.error().param]).toEqual([400, param]);
  });
});
