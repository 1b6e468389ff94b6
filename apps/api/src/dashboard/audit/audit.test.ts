import { agentSettingsSchema, auditPageSchema } from '@outdial/contracts';
import { createUserAdministration } from '@outdial/identity/users';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser } from '../../../test/browser.ts';
import { openDesk, type Desk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let owner: Desk;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  account = await api.account();
  owner = await openDesk(api, account.id);
});

const settings = agentSettingsSchema.parse({ name: 'Reminder', first_message: 'Hello.' });
const read = async (query = '') => auditPageSchema.parse((await owner.request('GET', `audit${query}`)).json);

const failures = async () =>
  (await read('?subject=user&limit=100')).entries.filter(({ action }) => action === 'user.sign_in_failed').length;

describe('the audit of an account', () => {
  it('lists who changed what, newest first, without the names of operators', async () => {
    await owner.request('POST', 'agents', { json: { settings } });
    await api.admin.agents.update({ agentId: account.agentId, settings });
    const [byOperator, byOwner] = (await read('?subject=agent')).entries;
    expect(byOperator).toMatchObject({ action: 'agent.update', actor: { kind: 'operator', name: null } });
    expect(byOwner).toMatchObject({
      action: 'agent.create',
      actor: { kind: 'user', name: 'Sam' },
      subject_name: 'Reminder',
    });
  });

  it('has the successful and failed sign-ins of its members and their password changes, without addresses', async () => {
    const browser = openBrowser(api);
    // A new password ends the sessions of its user: another owner reads.
    const { email, password } = await openDesk(api, account.id, 'member');
    const signIn = (given: string) => browser.request('POST', 'session', { json: { email, password: given } });
    await signIn('not the password');
    await signIn(password);
    await browser.request('PUT', 'password', {
      json: { current_password: password, new_password: 'another password' },
    });
    const actions = async () => (await read('?subject=user')).entries.map(({ action }) => action);
    // A wrong password is recorded beside the answer, so that its duration reveals nothing.
    await expect.poll(actions).toContain('user.sign_in_failed');
    expect(await actions()).toEqual(expect.arrayContaining(['user.sign_in', 'user.change_password']));
    expect(JSON.stringify(await read())).not.toContain(browser.address);
    const operator = await api.signIn({ isOperator: true });
    const all = await api.request('GET', '//api/dashboard/operations/audit?subject=user', {
      headers: operator.headers,
    });
    expect(all.text).toContain(browser.address);
    expect(all.text).not.toContain('another password');
  });

  it('has few entries however many wrong passwords are tried', async () => {
    for (let attempt = 0; attempt < 14; attempt += 1) {
      const json = { email: owner.email, password: 'not the password' };
      await openBrowser(api).request('POST', 'session', { json });
    }
    await expect.poll(failures).toBe(10);
  });

  it('has no entry of another account, and none from before a member joined', async () => {
    const other = await openDesk(api, (await api.account()).id);
    for (const desk of [owner, other]) await desk.request('POST', 'agents', { json: { settings } });
    const { email, password } = other;
    await openBrowser(api).request('POST', 'session', { json: { email, password } });
    const users = createUserAdministration(api.database, { actor: 'test' });
    await users.addToAccount({ userId: other.userId }, { accountId: account.id, role: 'member' });
    const { entries } = await read('?limit=100');
    const actions = entries.filter(({ subject_id: id }) => id === other.userId).map(({ action }) => action);
    expect(actions).toEqual(['user.add_to_account']);
    expect(entries.filter(({ action }) => action === 'agent.create')).toHaveLength(1);
  });

  it('comes in pages without a gap', async () => {
    for (let made = 0; made < 5; made += 1) await owner.request('POST', 'agents', { json: { settings } });
    const whole = (await read('?limit=100')).entries.map(({ id }) => id);
    const ids: string[] = [];
    let before: string | null = '';
    while (before !== null) {
      const page = await read(`?limit=2${before === '' ? '' : `&before=${before}`}`);
      ids.push(...page.entries.map(({ id }) => id));
      before = page.next_before;
    }
    expect(ids).toEqual(whole);
  });

  it('403 for a member and for a user who is not an operator, 400 for an unknown filter', async () => {
    const member = await openDesk(api, account.id, 'member');
    expect((await member.request('GET', 'audit')).error().code).toBe('owner_only');
    const all = await api.request('GET', '//api/dashboard/operations/audit', { headers: owner.headers });
    expect(all.error().code).toBe('operator_only');
    expect((await owner.request('GET', 'audit?subject=secrets')).error().param).toBe('subject');
  });
});
