import { randomUUID } from 'node:crypto';
import { sessionEnvelopeSchema } from '@outdial/contracts';
import { createUserAdministration } from '@outdial/identity/users';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, type Browser } from '../../../test/browser.ts';
import { openMailServer, type MailServer } from '../../../test/mail-server.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';

let mail: MailServer;
let api: TestApi;
beforeAll(async () => {
  mail = await openMailServer();
  const dashboard = { OUTDIAL_SMTP_URL: mail.url, OUTDIAL_MAIL_FROM: 'Outdial <calls@example.com>' };
  api = await openApi({ dashboard });
});
afterAll(async () => {
  await api.close();
  await mail.close();
});

const PASSWORD = 'correct horse battery';

async function signUp() {
  const browser = openBrowser(api);
  const email = `${randomUUID()}@example.com`;
  const came = mail.emails.length;
  await browser.request('POST', 'users', { json: { name: 'Sam', email, password: PASSWORD } });
  const message = await nextEmail(came, email);
  return { browser, email, token: tokenIn(message) };
}

/** Joins lines that the encoding broke (RFC 2045 section 6.7). */
const unbroken = (message: string) => message.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');

/** The next e-mail to this address. E-mails to others may arrive in between. */
async function nextEmail(came: number, email: string): Promise<string> {
  for (let count = came + 1; ; count += 1) {
    const emails = (await mail.until(count)).slice(came).map(unbroken);
    const message = emails.findLast((text) => text.includes(email));
    if (message !== undefined) return message;
  }
}

const tokenIn = (message: string) => /verify-email#token=([\w-]+)/.exec(message)?.[1] ?? '';
const complete = (browser: Browser, token: string) =>
  browser.request('POST', 'email-verifications/complete', { json: { token } });
const isVerified = async (browser: Browser) =>
  sessionEnvelopeSchema.parse((await browser.request('GET', 'session')).json).session.user.email_verified;

it('a sign-up sends a link that verifies the address, once', async () => {
  const { browser, token } = await signUp();
  expect(await isVerified(browser)).toBe(false);
  const answer = await complete(browser, token);
  expect(sessionEnvelopeSchema.parse(answer.json).session.user.email_verified).toBe(true);
  expect(await isVerified(browser)).toBe(true);
  const again = await complete(browser, token);
  expect([again.status, again.error().code]).toEqual([410, 'link_not_valid']);
});

it('a link verifies only the signed-in user it was sent to: one click cannot confirm a stranger’s sign-up', async () => {
  const stranger = await signUp();
  const other = await signUp();
  expect((await complete(other.browser, stranger.token)).status).toBe(410);
  expect((await complete(openBrowser(api), stranger.token)).status).toBe(401);
  expect(await isVerified(stranger.browser)).toBe(false);
  expect((await complete(stranger.browser, stranger.token)).status).toBe(200);
});

it('a newly requested link replaces the first; no link is sent once the address is verified', async () => {
  const { browser, email, token } = await signUp();
  const came = mail.emails.length;
  expect((await browser.request('POST', 'email-verifications')).status).toBe(204);
  const second = tokenIn(await nextEmail(came, email));
  expect(second).not.toBe(token);
  expect((await complete(browser, token)).status).toBe(410);
  expect((await complete(browser, second)).status).toBe(200);
  await browser.request('POST', 'email-verifications');
  const links = await api.database.side.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM email_verifications v JOIN users u ON u.id = v.user_id WHERE u.email = ${email}`;
  expect(links).toEqual([{ n: 0 }]);
});

it('429 for too many links', async () => {
  const { browser } = await signUp();
  const answers = [];
  for (let asked = 0; asked < 6; asked += 1) answers.push(await browser.request('POST', 'email-verifications'));
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204, 429]);
});

it('the link that resets a password also verifies the address', async () => {
  const { browser, email } = await signUp();
  const came = mail.emails.length;
  await browser.request('POST', 'password-resets', { json: { email } });
  const message = await nextEmail(came, email);
  const token = /reset-password#token=([\w-]+)/.exec(message)?.[1];
  await browser.request('POST', 'password-resets/complete', { json: { token, password: `${PASSWORD}!` } });
  const user = await createUserAdministration(api.database, { actor: 'test' }).show(email);
  expect(user.emailVerifiedAtMs).not.toBeNull();
});
