import { randomUUID } from 'node:crypto';
import { sessionEnvelopeSchema } from '@outdial/contracts';
import { tokenDigest } from '@outdial/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type Browser } from '../../../test/browser.ts';
import type { Answer } from '../../../test/client.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { SignedIn } from '../../../test/sign-in.ts';

let api: TestApi;
let user: SignedIn;
beforeAll(async () => {
  api = await openApi();
  user = await api.signIn();
});
afterAll(() => api.close());

const codeOf = (answer: Answer) => `${answer.status} ${answer.error().code}`;
const credentials = (of: SignedIn = user) => ({ email: of.email, password: of.password });
const digestOf = (browser: Browser) => tokenDigest(browser.token() ?? '');
const use = async (browser: Browser) => (await browser.request('GET', 'session')).status;
const sessionIn = (answer: Answer) => sessionEnvelopeSchema.parse(answer.json).session;

async function signedIn(of: SignedIn = user): Promise<Browser> {
  const browser = openBrowser(api);
  expect((await browser.request('POST', 'session', { json: credentials(of) })).status).toBe(200);
  return browser;
}

describe('signing in', () => {
  it('200: returns the user, and a cookie that no script and no other site can use', async () => {
    const account = await api.account();
    const owner = await api.signIn({ memberships: [{ accountId: account.id, role: 'owner' }], isOperator: true });
    const browser = openBrowser(api);
    const answer = await browser.request('POST', 'session', { json: credentials(owner) });
    expect(sessionIn(answer)).toEqual({
      user: { id: owner.userId, name: 'Sam', email: owner.email, email_verified: true, is_operator: true },
      memberships: [{ account_id: account.id, account_name: 'Acme', currency: 'USD', role: 'owner' }],
    });
    const [value, ...attributes] = (browser.cookie() ?? '').split('; ');
    expect(value).toMatch(/^__Host-outdial_session=[\w-]{43}$/);
    expect(attributes).toEqual(['Max-Age=2592000', 'Path=/', 'Secure', 'HttpOnly', 'SameSite=Strict']);
    expect(sessionIn(await browser.request('GET', 'session'))).toEqual(sessionIn(answer));
  });

  it('ignores the case of the address', async () => {
    const json = { ...credentials(), email: user.email.toUpperCase() };
    expect((await openBrowser(api).request('POST', 'session', { json })).status).toBe(200);
  });

  it('401 sign_in_failed: the same for a wrong password and an unknown address', async () => {
    const browser = openBrowser(api);
    const wrong = await browser.request('POST', 'session', { json: { ...credentials(), password: 'x' } });
    const unknown = await browser.request('POST', 'session', {
      json: { email: `${randomUUID()}@example.com`, password: user.password },
    });
    expect(codeOf(wrong)).toBe('401 sign_in_failed');
    expect(codeOf(unknown)).toBe('401 sign_in_failed');
    expect(wrong.error().message).toBe(unknown.error().message);
    expect(browser.cookie()).toBeNull();
  });

  it('400 invalid_request without a password, or with an invalid address', async () => {
    for (const json of [{ email: user.email }, { email: 'sam', password: 'x' }, { ...credentials(), more: 1 }])
      expect(codeOf(await openBrowser(api).request('POST', 'session', { json }))).toBe('400 invalid_request');
  });

  it('403 origin_not_allowed from another site', async () => {
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': '', Origin: 'http://evil.example' }])
      expect(codeOf(await openBrowser(api).request('POST', 'session', { json: credentials(), headers }))).toBe(
        '403 origin_not_allowed',
      );
  });

  it('ends the browser’s earlier session: a planted token is worthless', async () => {
    const attacker = await signedIn(await api.signIn());
    const planted = attacker.token();
    const victim = openBrowser(api);
    victim.setToken(planted);
    await victim.request('POST', 'session', { json: credentials() });
    expect(victim.token()).not.toBe(planted);
    await expect.poll(async () => (await attacker.request('GET', 'session')).status).toBe(401);
  });

  it('ignores an invented token', async () => {
    const browser = openBrowser(api);
    browser.setToken('x'.repeat(43));
    await browser.request('POST', 'session', { json: credentials() });
    expect(browser.token()).not.toBe('x'.repeat(43));
  });
});

describe('a session', () => {
  it('401 not_signed_in without a token, with an invented one, or with two that differ', async () => {
    const browser = await signedIn();
    const { headers } = user;
    const cookies = [undefined, 'x', '__Host-outdial_session=', `__Host-outdial_session=${'y'.repeat(43)}`];
    for (const cookie of cookies) {
      const answer = await api.request('GET', '//api/dashboard/session', {
        headers: cookie === undefined ? {} : { Cookie: cookie },
      });
      expect(codeOf(answer)).toBe('401 not_signed_in');
      expect(answer.headers.get('www-authenticate')).toContain('Session');
    }
    const Cookie = `${headers['Cookie'] ?? ''}; __Host-outdial_session=${browser.token() ?? ''}`;
    expect(codeOf(await api.request('GET', '//api/dashboard/session', { headers: { Cookie } }))).toBe(
      '401 not_signed_in',
    );
  });

  it('is stored as a hash: what Postgres holds cannot sign in', async () => {
    const browser = await signedIn();
    const rows = await api.database.side.$queryRaw<{ token: string }[]>`SELECT token FROM sessions`;
    const tokens = rows.map(({ token }) => token);
    expect(tokens).toContain(tokenDigest(browser.token() ?? ''));
    expect(tokens).not.toContain(browser.token());
    browser.setToken(tokenDigest(browser.token() ?? ''));
    expect((await browser.request('GET', 'session')).status).toBe(401);
  });

  it('ends after seven days without use, and thirty days after its start', async () => {
    const { side } = api.database;
    const idle = await signedIn();
    const old = await signedIn();
    await side.$executeRaw`
      UPDATE sessions SET expires_at = timezone('utc', now()) - interval '1 second' WHERE token = ${digestOf(idle)}`;
    await side.$executeRaw`
      UPDATE sessions SET created_at = timezone('utc', now()) - interval '30 days' WHERE token = ${digestOf(old)}`;
    for (const browser of [idle, old])
      await expect.poll(async () => (await browser.request('GET', 'session')).status).toBe(401);
  });

  it('is rejected once it has ended, however recently it was used', async () => {
    const { headers, end } = await api.signIn();
    const ask = () => api.request('GET', '//api/dashboard/session', { headers });
    expect((await ask()).status).toBe(200);
    await end();
    expect(codeOf(await ask())).toBe('401 not_signed_in');
  });

  it('expires later with each use, within its thirty days', async () => {
    const { side } = api.database;
    const [young, old] = [await signedIn(), await signedIn()] as const;
    const leftOf = async (browser: Browser) => {
      const [row] = await side.$queryRaw<{ hours: number }[]>`
        SELECT extract(epoch FROM expires_at - timezone('utc', now()))::int / 3600 AS hours
        FROM sessions WHERE token = ${digestOf(browser)}`;
      return row?.hours;
    };
    for (const [browser, days] of [
      [young, 3],
      [old, 28],
    ] as const) {
      await side.$executeRaw`
        UPDATE sessions SET expires_at = timezone('utc', now()) + interval '1 day',
          created_at = timezone('utc', now()) - make_interval(days => ${days}) WHERE token = ${digestOf(browser)}`;
    }
    await expect.poll(async () => [await use(young), await leftOf(young)]).toEqual([200, 167]);
    await expect.poll(async () => [await use(old), await leftOf(old)]).toEqual([200, 47]);
  });
});

describe('signing out', () => {
  it('204: ends this session and removes its cookie; others continue', async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()] as const;
    const answer = await here.request('DELETE', 'session');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(here.cookie()).toBe('__Host-outdial_session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict');
    expect((await elsewhere.request('GET', 'session')).status).toBe(200);
  });

  it('everywhere: 204, and every process rejects the user’s sessions within a second', async () => {
    const another = await api.startAnother();
    const of = await api.signIn();
    const [first, second] = [await signedIn(of), await signedIn(of)] as const;
    const bystander = await signedIn();
    const sessions = () =>
      Promise.all(
        [api, another].flatMap((from) =>
          [first, second, bystander].map(async (browser) => (await browser.request('GET', 'session', { from })).status),
        ),
      );
    expect(await sessions()).toEqual([200, 200, 200, 200, 200, 200]);
    const token = first.token();
    expect((await first.request('DELETE', 'sessions')).status).toBe(204);
    first.setToken(token);
    const endedMs = performance.now();
    // Constant requests keep the cache entry in use: its age must end it.
    while (performance.now() - endedMs < 1_000) await sessions();
    expect(await sessions()).toEqual([401, 401, 200, 401, 401, 200]);
  });

  it('401 not_signed_in without a session', async () => {
    for (const path of ['session', 'sessions'])
      expect(codeOf(await openBrowser(api).request('DELETE', path))).toBe('401 not_signed_in');
  });
});

it('the log never has the password, token, cookie or address of a request', async () => {
  const browser = openBrowser(api);
  await browser.request('POST', 'session', { json: { ...credentials(), password: 'not the password' } });
  await browser.request('POST', 'session', { json: credentials() });
  await browser.request('GET', 'session');
  const log = api.logLines.join('\n');
  const secrets = [
    user.password,
    'not the password',
    browser.token() ?? '-',
    tokenDigest(browser.token() ?? ''),
    user.email,
  ];
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
});
