import { randomUUID } from 'node:crypto';
import { createdInvitationSchema, memberListSchema, sessionEnvelopeSchema, tokenOfLink } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser } from '../../../test/browser.ts';
import type { Answer } from '../../../test/client.ts';
import { openDesk, type Desk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let owner: Desk;
beforeAll(async () => {
  api = await openApi({ dashboard: { OUTDIAL_PUBLIC_URL: 'https://calls.example.com/' } });
});
afterAll(() => api.close());
beforeEach(async () => {
  account = await api.account();
  owner = await openDesk(api, account.id);
});

const codeOf = (answer: Answer) => `${answer.status} ${answer.error().code}`;
const newEmail = () => `${randomUUID()}@example.com`;
const newUser = (invitation: string) => ({ name: 'Kim', email: newEmail(), password: 'correct horse', invitation });

async function invite(email = newEmail(), role = 'member') {
  const answer = await owner.request('POST', 'invitations', { json: { email, role } });
  const { invitation, link } = createdInvitationSchema.parse(answer.json);
  const token = tokenOfLink(new URL(link).hash);
  invariant(token !== null, 'the link has a token');
  return { status: answer.status, invitation, link, token };
}

const open = async () => memberListSchema.parse((await owner.request('GET', 'members')).json).invitations;
const accept = (headers: Readonly<Record<string, string>>, token: string) =>
  api.request('POST', '//api/dashboard/invitations/accept', { headers, json: { token } });

describe('an invitation', () => {
  it('201: is told to its owner with a link to the dashboard, shown to owners alone, and kept as a hash', async () => {
    const { status, invitation, link, token } = await invite('Kim@Example.com');
    expect([status, invitation.email, invitation.role]).toEqual([201, 'kim@example.com', 'member']);
    expect(link.startsWith('https://calls.example.com/invitation#token=')).toBe(true);
    expect(await open()).toEqual([invitation]);
    const member = await openDesk(api, account.id, 'member');
    expect(memberListSchema.parse((await member.request('GET', 'members')).json).invitations).toEqual([]);
    const rows = await api.database.side.$queryRaw<{ row: string }[]>`SELECT i::text AS row FROM invitations i`;
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  });

  it('200: lets a user join who has signed in, in the role that it says, at once', async () => {
    const { token } = await invite(newEmail(), 'owner');
    const guest = await api.signIn();
    const answer = await accept(guest.headers, token);
    expect(sessionEnvelopeSchema.parse(answer.json).session.memberships).toEqual([
      { account_id: account.id, account_name: 'Acme', currency: 'USD', role: 'owner' },
    ]);
    const path = `//api/dashboard/accounts/${account.id}/account`;
    expect((await api.request('GET', path, { headers: guest.headers })).status).toBe(200);
    expect(await open()).toEqual([]);
  });

  it('201: lets somebody sign up, who joins the account and gets no other', async () => {
    const { token } = await invite();
    const answer = await openBrowser(api).request('POST', 'users', { json: newUser(token) });
    expect(answer.status).toBe(201);
    const { memberships } = sessionEnvelopeSchema.parse(answer.json).session;
    expect(memberships.map(({ account_id: id, role }) => ({ id, role }))).toEqual([{ id: account.id, role: 'member' }]);
  });

  it('is audited when it is used, with the account that was joined and the role', async () => {
    const [guest, browser] = [await api.signIn(), openBrowser(api)];
    await accept(guest.headers, (await invite(newEmail(), 'owner')).token);
    const answer = await browser.request('POST', 'users', { json: newUser((await invite()).token) });
    const { user } = sessionEnvelopeSchema.parse(answer.json).session;
    for (const [userId, role] of [
      [guest.userId, 'owner'],
      [user.id, 'member'],
    ] as const) {
      const entries = await api.database.side.$queryRaw<{ actor: string; data: unknown }[]>`
        SELECT actor, data FROM audit_entries WHERE subject_id = ${userId} AND action = 'member.join'`;
      expect(entries).toEqual([{ actor: `user:${userId}`, data: { account_id: account.id, role } }]);
    }
  });

  it('410 link_not_valid: is good once, whoever comes second, and at the same moment too', async () => {
    const { token } = await invite();
    const guests = [await api.signIn(), await api.signIn()];
    const answers = await Promise.all([
      ...guests.map(({ headers }) => accept(headers, token)),
      openBrowser(api).request('POST', 'users', { json: newUser(token) }),
      openBrowser(api).request('POST', 'users', { json: newUser(token) }),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(3);
    const members = memberListSchema.parse((await owner.request('GET', 'members')).json).members;
    expect(members).toHaveLength(2);
  });

  it('410: is good no more once it is too old, withdrawn, or another was sent to the same address', async () => {
    const email = newEmail();
    const [replaced, old, withdrawn] = [await invite(email), await invite(), await invite()];
    await invite(email, 'owner');
    await api.database.side.$executeRaw`
      UPDATE invitations SET created_at = created_at - interval '8 days', expires_at = expires_at - interval '8 days'
      WHERE id = ${old.invitation.id}::uuid`;
    expect((await owner.request('DELETE', `invitations/${withdrawn.invitation.id}`)).status).toBe(204);
    const guest = await api.signIn();
    for (const { token } of [replaced, old, withdrawn]) {
      expect(codeOf(await accept(guest.headers, token))).toBe('410 link_not_valid');
      const answer = await openBrowser(api).request('POST', 'users', { json: newUser(token) });
      expect(codeOf(answer)).toBe('410 link_not_valid');
    }
    expect((await open()).map(({ role }) => role)).toEqual(['owner']);
  });

  it('410: is good only while whoever invited is an owner, and leads nobody back in who was removed', async () => {
    const second = await openDesk(api, account.id);
    const { token } = await invite(newEmail(), 'owner');
    const path = `members/${owner.userId}`;
    expect((await second.request('PATCH', path, { json: { role: 'member' } })).status).toBe(200);
    const answer = await openBrowser(api).request('POST', 'users', { json: newUser(token) });
    expect(codeOf(answer)).toBe('410 link_not_valid');
    expect((await second.request('DELETE', path)).status).toBe(204);
    expect(codeOf(await accept(owner.headers, token))).toBe('410 link_not_valid');
    expect(memberListSchema.parse((await second.request('GET', 'members')).json).invitations).toEqual([]);
  });

  it('409 email_taken leaves it good: its guest may sign in and accept', async () => {
    const { token } = await invite();
    const guest = await api.signIn();
    const json = { ...newUser(token), email: guest.email };
    expect(codeOf(await openBrowser(api).request('POST', 'users', { json }))).toBe('409 email_taken');
    expect((await accept(guest.headers, token)).status).toBe(200);
  });

  it('takes nothing from an owner who accepts one for a member', async () => {
    const { token } = await invite();
    const answer = await accept(owner.headers, token);
    expect(sessionEnvelopeSchema.parse(answer.json).session.memberships[0]?.role).toBe('owner');
  });

  it('204: is withdrawn by owners of its account alone', async () => {
    const { invitation } = await invite();
    const stranger = await openDesk(api, (await api.account()).id);
    await stranger.request('DELETE', `invitations/${invitation.id}`);
    expect(await open()).toEqual([invitation]);
    const member = await openDesk(api, account.id, 'member');
    expect(codeOf(await member.request('DELETE', `invitations/${invitation.id}`))).toBe('403 owner_only');
    expect((await owner.request('DELETE', `invitations/${invitation.id}`)).status).toBe(204);
    expect(await open()).toEqual([]);
  });

  it('403 owner_only: no member invites anybody', async () => {
    const member = await openDesk(api, account.id, 'member');
    const answer = await member.request('POST', 'invitations', { json: { email: newEmail(), role: 'owner' } });
    expect(codeOf(answer)).toBe('403 owner_only');
  });

  it('400 invalid_request for a link with what no database keeps', async () => {
    const { headers } = await api.signIn();
    expect(codeOf(await accept(headers, 'a\0b'))).toBe('400 invalid_request');
    const json = { token: 'a\0b', password: 'correct horse' };
    const answer = await openBrowser(api).request('POST', 'password-resets/complete', { json });
    expect(codeOf(answer)).toBe('400 invalid_request');
  });

  it('400 invalid_request for what is no address', async () => {
    const answer = await owner.request('POST', 'invitations', { json: { email: 'kim', role: 'member' } });
    expect(codeOf(answer)).toBe('400 invalid_request');
  });

  it('401 not_signed_in: nobody accepts one without a session, or is let in by one that ended a moment ago', async () => {
    const { token } = await invite();
    const gone = await api.signIn();
    expect((await api.request('GET', '//api/dashboard/session', { headers: gone.headers })).status).toBe(200);
    await gone.end();
    expect(codeOf(await accept(gone.headers, (await invite()).token))).toBe('401 not_signed_in');
    const answer = await openBrowser(api).request('POST', 'invitations/accept', { json: { token } });
    expect(codeOf(answer)).toBe('401 not_signed_in');
  });
});
