import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../test/browser.ts';
import { openDesk } from '../../test/desk.ts';
import { openMailServer, type MailServer } from '../../test/mail-server.ts';
import { openApi, type TestApi } from '../../test/open-api.ts';

const FROM = 'Outdial <calls@example.com>';

let mail: MailServer;
let api: TestApi;
beforeAll(async () => {
  mail = await openMailServer();
  api = await openApi({ dashboard: { OUTDIAL_SMTP_URL: mail.url, OUTDIAL_MAIL_FROM: FROM } });
});
afterAll(async () => {
  await api.close();
  await mail.close();
});

const newEmail = () => `${randomUUID()}@example.com`;
const reset = (email: string, of: TestApi = api) =>
  openBrowser(of).request('POST', 'password-resets', { json: { email } });
const hasMail = (to: string) => mail.emails.some((email) => email.includes(`To: ${to}`));
interface StoredEmail {
  readonly state: string;
  readonly sealed: boolean;
  readonly attempts: number;
  /** No attempt is under way, and the next one comes soon. */
  readonly waits: boolean;
}
const stored = (kind: string) => api.database.side.$queryRaw<StoredEmail[]>`
  SELECT state, sealed IS NOT NULL AS sealed, attempts, state = 'pending' AND due_at < now() + interval '15 seconds' AS waits
  FROM emails WHERE kind = ${kind} ORDER BY created_at`;
const lastInvitation = async () => (await stored('invitation')).at(-1);
const pending = async () => {
  const [row] = await api.database.side.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM emails WHERE state = 'pending'`;
  return row?.count;
};

async function inviting(count: number, on: TestApi = api) {
  const account = await on.account();
  const owner = await openDesk(on, account.id);
  const emails = Array.from({ length: count }, newEmail);
  return {
    emails,
    invite: async () => {
      for (const email of emails) {
        const { status } = await owner.request('POST', 'invitations', { json: { email, role: 'member' } });
        expect(status).toBe(201);
      }
    },
    invitations: owner,
  };
}

describe('with a mail server', () => {
  it('an invitation arrives, and nothing of what it says stays', async () => {
    const { emails, invite } = await inviting(1);
    await invite();
    await expect.poll(() => hasMail(emails[0] ?? ''), { timeout: 10_000 }).toBe(true);
    await expect.poll(() => stored('invitation')).toMatchObject([{ state: 'sent', sealed: false, attempts: 1 }]);
  });

  it('a link to verify the address is written with the user, and arrives', async () => {
    const email = newEmail();
    const json = { name: 'Kim', email, password: 'correct horse' };
    expect((await openBrowser(api).request('POST', 'users', { json })).status).toBe(201);
    await expect.poll(() => hasMail(email), { timeout: 10_000 }).toBe(true);
  });

  it('a reset for an unknown address writes as much as one for a user, and sends nothing', async () => {
    const [{ email: known }, unknown] = [await api.signIn(), newEmail()];
    const answers = [await reset(known), await reset(unknown)];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ]);
    await expect
      .poll(async () => (await stored('password_reset')).map(({ state }) => state).toSorted())
      .toEqual(['dropped', 'sent']);
    expect([hasMail(known), hasMail(unknown)]).toEqual([true, false]);
  });

  it('an e-mail that the server rejects for the moment is sent later, by the same id', async () => {
    mail.refuseForNow(true);
    const { emails, invite } = await inviting(1);
    await invite();
    await expect.poll(lastInvitation).toMatchObject({ state: 'pending', sealed: true, attempts: 1, waits: true });
    mail.refuseForNow(false);
    await api.database.side.$executeRaw`UPDATE emails SET due_at = clock_timestamp() WHERE state = 'pending'`;
    await expect.poll(() => hasMail(emails[0] ?? ''), { timeout: 10_000 }).toBe(true);
    await expect.poll(lastInvitation).toMatchObject({ state: 'sent', attempts: 2 });
  });

  it('an invitation that was withdrawn before it was sent is not sent', async () => {
    mail.refuseForNow(true);
    const { emails, invite, invitations } = await inviting(1);
    await invite();
    await expect.poll(lastInvitation).toMatchObject({ attempts: 1, waits: true });
    await api.database.side.$executeRaw`DELETE FROM invitations WHERE email = ${emails[0]}`;
    mail.refuseForNow(false);
    await api.database.side.$executeRaw`UPDATE emails SET due_at = clock_timestamp() WHERE state = 'pending'`;
    await expect
      .poll(async () => (await stored('invitation')).at(-1))
      .toMatchObject({ state: 'dropped', sealed: false });
    expect(hasMail(emails[0] ?? '')).toBe(false);
    expect((await invitations.request('GET', 'members')).status).toBe(200);
  });

  it('an account whose invitations hang delays neither users nor other accounts', async () => {
    const busy = await inviting(12);
    for (const email of busy.emails) mail.hang(email);
    await busy.invite();
    await expect.poll(() => mail.hanging, { timeout: 10_000 }).toBe(2);
    const [user, quiet] = [await api.signIn(), await inviting(1)];
    await Promise.all([reset(user.email), quiet.invite()]);
    await expect.poll(() => hasMail(user.email) && hasMail(quiet.emails[0] ?? ''), { timeout: 8_000 }).toBe(true);
    expect(mail.hanging).toBeLessThanOrEqual(4);
    await api.database.side.$executeRaw`DELETE FROM emails WHERE state = 'pending'`;
  });

  it('metrics count attempts, and what waits', async () => {
    const text = await (await fetch(api.metricsUrl)).text();
    expect(text).toMatch(/^outdial_email_attempts_total\{outcome="sent"\} [1-9]/m);
    expect(text).toMatch(/^outdial_email_pending \d+$/m);
    expect(text).toMatch(/^outdial_email_oldest_due_seconds \S+$/m);
  });
});

it('while the mail server is dead requests are answered, and what they wrote is sent by another process', async () => {
  const dead = createServer(() => undefined);
  dead.listen(0, '127.0.0.1');
  await once(dead, 'listening');
  const address = dead.address();
  invariant(typeof address === 'object' && address !== null, 'it listens on a port');
  const url = `smtp://127.0.0.1:${address.port}`;
  const { stores } = api;
  const other = await openApi({ stores, dashboard: { OUTDIAL_SMTP_URL: url, OUTDIAL_MAIL_FROM: FROM } });
  const { email } = await api.signIn();
  // Written where no process sends: the one with the dead server took it, and stops.
  await api.database.side.$executeRaw`
    UPDATE emails SET state = 'dropped', sealed = NULL, ended_at = now() WHERE state = 'pending'`;
  expect((await reset(email, other)).status).toBe(204);
  await other.close();
  dead.close();
  await api.database.side.$executeRaw`UPDATE emails SET due_at = clock_timestamp() WHERE state = 'pending'`;
  await expect.poll(() => hasMail(email), { timeout: 10_000 }).toBe(true);
  await expect.poll(pending).toBe(0);
});
