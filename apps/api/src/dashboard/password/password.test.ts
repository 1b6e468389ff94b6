import { randomUUID } from 'node:crypto';
import { tokenOfLink } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, type Browser } from '../../../test/browser.ts';
import type { Answer } from '../../../test/client.ts';
import { openMailServer, type MailServer } from '../../../test/mail-server.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { SignedIn } from '../../../test/sign-in.ts';

const NEW = 'quite another password';

let mail: MailServer;
let api: TestApi;
let user: SignedIn;
beforeAll(async () => {
  mail = await openMailServer();
  api = await openApi({
    dashboard: { OUTDIAL_SMTP_URL: mail.url, OUTDIAL_MAIL_FROM: 'Outdial <calls@example.com>' },
  });
});
afterAll(async () => {
  await api.close();
  await mail.close();
});
beforeEach(async () => {
  user = await api.signIn();
});

const codeOf = (answer: Answer) => `${answer.status} ${answer.error().code}`;
const signIn = async (browser: Browser, password = user.password) =>
  (await browser.request('POST', 'session', { json: { email: user.email, password } })).status;
const stillIn = async (browser: Browser) => (await browser.request('GET', 'session')).status;

const change = (browser: Browser, fields: object = {}) =>
  browser.request('PUT', 'password', { json: { current_password: user.password, new_password: NEW, ...fields } });
const ask = (email = user.email) => openBrowser(api).request('POST', 'password-resets', { json: { email } });
const complete = (token: string, password = NEW) =>
  openBrowser(api).request('POST', 'password-resets/complete', { json: { token, password } });

/** The link in the next e-mail. */
async function linkByMail(): Promise<{ readonly message: string; readonly token: string }> {
  const count = mail.emails.length;
  expect((await ask()).status).toBe(204);
  const message = (await mail.until(count + 1)).at(-1);
  invariant(message !== undefined, 'an e-mail has come');
  // The encoding of an e-mail breaks long lines and marks the break.
  const text = message.replaceAll('=\n', '').replaceAll('=3D', '=');
  const link = /^http\S+/m.exec(text)?.[0] ?? '';
  expect(link.startsWith(`${api.url}/reset-password#token=`)).toBe(true);
  return { message, token: tokenOfLink(new URL(link).hash) ?? '' };
}

async function signedIn(): Promise<Browser> {
  const browser = openBrowser(api);
  expect(await signIn(browser)).toBe(200);
  return browser;
}

describe('changing the password', () => {
  it('204: ends every other session; this one continues with a new token', async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()] as const;
    const former = here.token();
    const answer = await change(here);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(here.token()).not.toBe(former);
    expect(await stillIn(here)).toBe(200);
    await expect.poll(() => stillIn(elsewhere)).toBe(401);
    here.setToken(former);
    await expect.poll(() => stillIn(here)).toBe(401);
    expect(await signIn(openBrowser(api))).toBe(401);
    expect(await signIn(openBrowser(api), NEW)).toBe(200);
  });

  it('403 wrong_password for a wrong current password, without a change', async () => {
    const browser = await signedIn();
    expect(codeOf(await change(browser, { current_password: 'x' }))).toBe('403 wrong_password');
    expect(await stillIn(browser)).toBe(200);
    expect(await signIn(openBrowser(api))).toBe(200);
  });

  it('400 invalid_request for a new password that is too short or too long', async () => {
    const browser = await signedIn();
    for (const password of ['short', 'x'.repeat(129)])
      expect(codeOf(await change(browser, { new_password: password }))).toBe('400 invalid_request');
  });

  it('401 not_signed_in without a session', async () => {
    expect(codeOf(await change(openBrowser(api)))).toBe('401 not_signed_in');
  });

  it('403 origin_not_allowed from another site', async () => {
    const browser = await signedIn();
    const json = { current_password: user.password, new_password: NEW };
    const answer = await browser.request('PUT', 'password', { json, headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect(codeOf(answer)).toBe('403 origin_not_allowed');
  });
});

describe('resetting the password', () => {
  it('204: sends the user an e-mail with a link that sets a new password and ends every session', async () => {
    const browser = await signedIn();
    const { message, token } = await linkByMail();
    expect(message).toContain(`To: ${user.email}`);
    expect(message).toContain('From: Outdial <calls@example.com>');
    expect((await complete(token)).status).toBe(204);
    await expect.poll(() => stillIn(browser)).toBe(401);
    expect([await signIn(openBrowser(api)), await signIn(openBrowser(api), NEW)]).toEqual([401, 200]);
  });

  it('204: the same response for an unknown address, without an e-mail', async () => {
    const count = mail.emails.length;
    const answer = await ask(`${randomUUID()}@example.com`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    await linkByMail();
    expect(mail.emails).toHaveLength(count + 1);
  });

  it('410 link_not_valid: a link is valid once, and its use invalidates earlier links', async () => {
    const [first, second] = [await linkByMail(), await linkByMail()] as const;
    expect((await complete(second.token)).status).toBe(204);
    for (const { token } of [first, second]) expect(codeOf(await complete(token))).toBe('410 link_not_valid');
    expect(codeOf(await complete('x'.repeat(24)))).toBe('410 link_not_valid');
  });

  it('410: of two concurrent uses one succeeds', async () => {
    const { token } = await linkByMail();
    const answers = await Promise.all([complete(token, 'the first of two'), complete(token, 'the second of two')]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 410]));
  });

  it('410: a link expires after an hour or when the password changes', async () => {
    const old = await linkByMail();
    await api.database.side.$executeRaw`UPDATE verifications SET expires_at = expires_at - interval '61 minutes'`;
    expect(codeOf(await complete(old.token))).toBe('410 link_not_valid');
    const { token } = await linkByMail();
    const json = { current_password: user.password, new_password: NEW };
    expect((await (await signedIn()).request('PUT', 'password', { json })).status).toBe(204);
    expect(codeOf(await complete(token, 'yet another password'))).toBe('410 link_not_valid');
  });

  it('is stored as a hash: what Postgres holds resets nothing', async () => {
    const { token } = await linkByMail();
    const rows = await api.database.side.$queryRaw<{ row: string }[]>`SELECT v::text AS row FROM verifications v`;
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  });

  it('400 invalid_request for an invalid address and a password that is too short', async () => {
    expect(codeOf(await ask('sam'))).toBe('400 invalid_request');
    expect(codeOf(await complete('x', 'short'))).toBe('400 invalid_request');
  });
});

it('an invitation goes by e-mail, and names in it cannot begin a new line', async () => {
  const account = await api.account();
  const owner = await api.signIn({ memberships: [{ accountId: account.id, role: 'owner' }] });
  await api.database.side.$executeRaw`
    UPDATE users SET name = ${'Eve\n\nhttp://evil.example'} WHERE id = ${owner.userId}::uuid`;
  const count = mail.emails.length;
  const json = { email: 'kim@example.com', role: 'member' };
  const path = `//api/dashboard/accounts/${account.id}/invitations`;
  const fresh = openBrowser(api);
  await fresh.request('POST', 'session', { json: { email: owner.email, password: owner.password } });
  const answer = await fresh.request('POST', path.replace('//api/dashboard/', ''), { json });
  expect(answer.status).toBe(201);
  const message = (await mail.until(count + 1)).at(-1) ?? '';
  expect(message).toContain('To: kim@example.com');
  expect(message).toContain('Eve http://evil.example (');
});

async function invite(email: string): Promise<void> {
  const account = await api.account();
  const { headers } = await api.signIn({ memberships: [{ accountId: account.id, role: 'owner' }] });
  const path = `//api/dashboard/accounts/${account.id}/invitations`;
  const answer = await api.request('POST', path, { headers, json: { email, role: 'member' } });
  expect(answer.status).toBe(201);
}

it.each([
  ['a link to set another password', ask],
  ['an invitation', invite],
])(
  'the log has the codes of an e-mail that the mail server rejects, without its recipient: %s',
  async (_what, send) => {
    const { email } = user;
    mail.refuse(email);
    const logged = api.logLines.length;
    await send(email);
    const failure = () => api.logLines.slice(logged).find((line) => line.includes('an e-mail was not sent'));
    await expect.poll(failure).toBeTruthy();
    expect(failure()).toContain('EENVELOPE, RCPT TO, 550 5.1.1');
    const [name = ''] = email.split('@');
    expect(api.logLines.filter((line) => line.includes(name))).toEqual([]);
  },
);

it('without a mail server the log has the link and the masked address', async () => {
  const plain = await openApi();
  const { email } = await plain.signIn();
  await openBrowser(plain).request('POST', 'password-resets', { json: { email } });
  await expect.poll(() => plain.logLines.find((line) => line.includes('/reset-password#token='))).toBeTruthy();
  expect(plain.logLines.some((line) => line.includes(email))).toBe(false);
  await plain.close();
});
