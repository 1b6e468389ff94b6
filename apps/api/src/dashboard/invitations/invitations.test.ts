import { randomUUID } from 'node:crypto';
import {
  createdInvitationSchema,
  invitationDetailsEnvelopeSchema,
  memberListSchema,
  sessionEnvelopeSchema,
  tokenOfLink,
} from '@outdial/contracts';
import { createUserAdministration } from '@outdial/identity/users';
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
/** Signs up by an invitation, with its address. */
const newUser = ({ token, invitation: { email } }: Awaited<ReturnType<typeof invite>>) => ({
  name: 'Kim',
  email,
  password: 'correct horse',
  invitation: token,
});

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
  it('201: returns a link to the dashboard to the owner, is shown to owners only, and is stored as a hash', async () => {
    const { status, invitation, link, token } = await invite('Kim@Example.com');
    expect([status, invitation.email, invitation.role]).toEqual([201, 'kim@example.com', 'member']);
    expect(link.startsWith('https://calls.example.com/invitation#token=')).toBe(true);
    expect(await open()).toEqual([invitation]);
    const member = await openDesk(api, account.id, 'member');
    expect(memberListSchema.parse((await member.request('GET', 'members')).json).invitations).toEqual([]);
    const rows = await api.database.side.$queryRaw<{ row: string }[]>`SELECT i::text AS row FROM invitations i`;
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  });

  it('200: lets a signed-in user join in its role, at once', async () => {
    const guest = await api.signIn();
    const { token } = await invite(guest.email, 'owner');
    const answer = await accept(guest.headers, token);
    expect(sessionEnvelopeSchema.parse(answer.json).session.memberships).toEqual([
      { account_id: account.id, account_name: 'Acme', currency: 'USD', role: 'owner' },
    ]);
    const path = `//api/dashboard/accounts/${account.id}/account`;
    expect((await api.request('GET', path, { headers: guest.headers })).status).toBe(200);
    expect(await open()).toEqual([]);
  });

  it('201: lets a person sign up, who joins the account and gets no other', async () => {
    const answer = await openBrowser(api).request('POST', 'users', { json: newUser(await invite()) });
    expect(answer.status).toBe(201);
    const { memberships } = sessionEnvelopeSchema.parse(answer.json).session;
    expect(memberships.map(({ account_id: id, role }) => ({ id, role }))).toEqual([{ id: account.id, role: 'member' }]);
  });

  it('is audited when it is used, with the account that was joined and the role', async () => {
    const [guest, browser] = [await api.signIn(), openBrowser(api)];
    await accept(guest.headers, (await invite(guest.email, 'owner')).token);
    const answer = await browser.request('POST', 'users', { json: newUser(await invite()) });
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

  it('410 link_not_valid: is valid once, even for two requests at the same moment', async () => {
    const guest = await api.signIn();
    const forUser = await invite(guest.email);
    const forStranger = await invite();
    const tries = await Promise.all([1, 2, 3].map(() => accept(guest.headers, forUser.token)));
    const signUps = await Promise.all(
      [1, 2, 3].map(() => openBrowser(api).request('POST', 'users', { json: newUser(forStranger) })),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(tries.filter(({ status }) => status === 410)).toHaveLength(2);
    expect(signUps.filter(({ status }) => status === 201)).toHaveLength(1);
    const members = memberListSchema.parse((await owner.request('GET', 'members')).json).members;
    expect(members).toHaveLength(3);
  });

  it('410: is invalid once it is too old, withdrawn, or replaced by another to the same address', async () => {
    const email = newEmail();
    const [replaced, old, withdrawn] = [await invite(email), await invite(), await invite()];
    await invite(email, 'owner');
    const read = (token: string) => openBrowser(api).request('POST', 'invitations/read', { json: { token } });
    await api.database.side.$executeRaw`
      UPDATE invitations SET created_at = created_at - interval '8 days', expires_at = expires_at - interval '8 days'
      WHERE id = ${old.invitation.id}::uuid`;
    expect((await owner.request('DELETE', `invitations/${withdrawn.invitation.id}`)).status).toBe(204);
    const guest = await api.signIn();
    for (const each of [replaced, old, withdrawn]) {
      expect(codeOf(await accept(guest.headers, each.token))).toBe('410 link_not_valid');
      expect(codeOf(await read(each.token))).toBe('410 link_not_valid');
      const answer = await openBrowser(api).request('POST', 'users', { json: newUser(each) });
      expect(codeOf(answer)).toBe('410 link_not_valid');
    }
    expect((await open()).map(({ role }) => role)).toEqual(['owner']);
  });

  it('410: is valid only while its sender is an owner, and cannot bring a removed member back', async () => {
    const second = await openDesk(api, account.id);
    const invited = await invite(newEmail(), 'owner');
    const back = await invite(owner.email, 'owner');
    const path = `members/${owner.userId}`;
    expect((await second.request('PATCH', path, { json: { role: 'member' } })).status).toBe(200);
    const answer = await openBrowser(api).request('POST', 'users', { json: newUser(invited) });
    expect(codeOf(answer)).toBe('410 link_not_valid');
    expect((await second.request('DELETE', path)).status).toBe(204);
    expect(codeOf(await accept(owner.headers, back.token))).toBe('410 link_not_valid');
    expect(memberListSchema.parse((await second.request('GET', 'members')).json).invitations).toEqual([]);
  });

  it('409 email_taken leaves it valid: its recipient may sign in and accept', async () => {
    const guest = await api.signIn();
    const invited = await invite(guest.email);
    const { token } = invited;
    const json = newUser(invited);
    expect(codeOf(await openBrowser(api).request('POST', 'users', { json }))).toBe('409 email_taken');
    expect((await accept(guest.headers, token)).status).toBe(200);
  });

  it('keeps the role of an owner who accepts one for a member', async () => {
    const { token } = await invite(owner.email);
    const answer = await accept(owner.headers, token);
    expect(sessionEnvelopeSchema.parse(answer.json).session.memberships[0]?.role).toBe('owner');
  });

  it('is for its address only: another address is rejected with a masked address, and the invitation stays valid', async () => {
    const invited = await invite();
    const other = await api.signIn();
    const refused = await accept(other.headers, invited.token);
    expect(codeOf(refused)).toBe('403 invitation_for_another_address');
    expect(refused.error().message).toContain(invited.invitation.email);
    const json = { ...newUser(invited), email: newEmail() };
    const signUp = await openBrowser(api).request('POST', 'users', { json });
    expect([codeOf(signUp), signUp.error().param]).toEqual(['403 invitation_for_another_address', 'email']);
    const signIn = { email: json.email, password: json.password };
    expect((await openBrowser(api).request('POST', 'session', { json: signIn })).status).toBe(401);
    expect((await openBrowser(api).request('POST', 'users', { json: newUser(invited) })).status).toBe(201);
  });

  it('200: its link shows the account, the sender and the recipient', async () => {
    const { token, invitation } = await invite(newEmail(), 'owner');
    const answer = await openBrowser(api).request('POST', 'invitations/read', { json: { token } });
    expect(invitationDetailsEnvelopeSchema.parse(answer.json).invitation).toEqual({
      account_name: 'Acme',
      email: invitation.email,
      role: 'owner',
      invited_by: { name: 'Sam', email: owner.email },
      expires_at: invitation.expires_at,
    });
    const unknown = await openBrowser(api).request('POST', 'invitations/read', { json: { token: 'x' } });
    expect(codeOf(unknown)).toBe('410 link_not_valid');
  });

  it('403 email_not_verified: a user whose address is not verified neither invites nor accepts', async () => {
    const browser = openBrowser(api);
    const email = newEmail();
    const json = { name: 'Kim', email, password: 'correct horse' };
    const signedUp = sessionEnvelopeSchema.parse((await browser.request('POST', 'users', { json })).json).session;
    const own = signedUp.memberships[0]?.account_id ?? '';
    const { token } = await invite(email);
    const attempt = () =>
      Promise.all([
        browser.request('POST', `accounts/${own}/invitations`, { json: { email: newEmail(), role: 'member' } }),
        browser.request('POST', 'invitations/accept', { json: { token } }),
      ]);
    for (const answer of await attempt()) expect(codeOf(answer)).toBe('403 email_not_verified');
    await createUserAdministration(api.database, { actor: 'test' }).verifyEmail(email);
    await expect.poll(async () => (await attempt()).map(({ status }) => status)).toContain(201);
    expect(
      sessionEnvelopeSchema.parse((await browser.request('GET', 'session')).json).session.memberships,
    ).toHaveLength(2);
  });

  it('204: only owners of its account withdraw it', async () => {
    const { invitation } = await invite();
    const stranger = await openDesk(api, (await api.account()).id);
    await stranger.request('DELETE', `invitations/${invitation.id}`);
    expect(await open()).toEqual([invitation]);
    const member = await openDesk(api, account.id, 'member');
    expect(codeOf(await member.request('DELETE', `invitations/${invitation.id}`))).toBe('403 owner_only');
    expect((await owner.request('DELETE', `invitations/${invitation.id}`)).status).toBe(204);
    expect(await open()).toEqual([]);
  });

  it('403 owner_only: a member cannot invite', async () => {
    const member = await openDesk(api, account.id, 'member');
    const answer = await member.request('POST', 'invitations', { json: { email: newEmail(), role: 'owner' } });
    expect(codeOf(answer)).toBe('403 owner_only');
  });

  it('400 invalid_request for a link with characters that Postgres rejects', async () => {
    const { headers } = await api.signIn();
    expect(codeOf(await accept(headers, 'a\0b'))).toBe('400 invalid_request');
    const json = { token: 'a\0b', password: 'correct horse' };
    const answer = await openBrowser(api).request('POST', 'password-resets/complete', { json });
    expect(codeOf(answer)).toBe('400 invalid_request');
  });

  it('400 invalid_request for an invalid address', async () => {
    const answer = await owner.request('POST', 'invitations', { json: { email: 'kim', role: 'member' } });
    expect(codeOf(answer)).toBe('400 invalid_request');
  });

  it('401 not_signed_in without a session, or with one that ended a moment ago', async () => {
    const { token } = await invite();
    const gone = await api.signIn();
    expect((await api.request('GET', '//api/dashboard/session', { headers: gone.headers })).status).toBe(200);
    await gone.end();
    expect(codeOf(await accept(gone.headers, (await invite()).token))).toBe('401 not_signed_in');
    const answer = await openBrowser(api).request('POST', 'invitations/accept', { json: { token } });
    expect(codeOf(answer)).toBe('401 not_signed_in');
  });
});
