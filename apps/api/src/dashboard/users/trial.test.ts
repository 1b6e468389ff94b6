import { randomUUID } from 'node:crypto';
import {
  accountEnvelopeSchema,
  e164Schema,
  firstRunEnvelopeSchema,
  ledgerPageSchema,
  sessionEnvelopeSchema,
  trunkNameSchema,
} from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../../test/browser.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openApi({ dashboard: { OUTDIAL_TEST_NUMBERS: 'true', OUTDIAL_TRIAL_CREDIT: '5.00' } });
  // The rates of the currency, and with it the system's number.
  await api.account();
  await api.admin.numbers.add({ accountId: null, e164: e164Schema.parse('+12025550198'), isDefault: true });
});
afterAll(() => api.close());

const newUser = () => ({ name: 'Sam', email: `${randomUUID()}@example.com`, password: 'correct horse battery' });

async function signUp(of: TestApi = api) {
  const browser = openBrowser(of);
  const answer = await browser.request('POST', 'users', { json: newUser() });
  const [membership] = sessionEnvelopeSchema.parse(answer.json).session.memberships;
  invariant(membership, 'the user has an account');
  const get = async (path: string) => (await browser.request('GET', `accounts/${membership.account_id}/${path}`)).json;
  return {
    browser,
    accountId: membership.account_id,
    balance: async () => accountEnvelopeSchema.parse(await get('account')).account.wallet.balance,
    entries: async () => ledgerPageSchema.parse(await get('account/ledger')).entries,
    firstRun: async () => firstRunEnvelopeSchema.parse(await get('first-run')).first_run,
  };
}

const addTrunk = (name: string, uri: string) => api.database.side.$executeRaw`
  INSERT INTO trunks (name, uri, channels, calls_per_second) VALUES (${name}, ${uri}, 10, 1)`;

describe('where only test numbers can be called, a new account', () => {
  it('has trial credit in the ledger, and places a call from the system’s number without help', async () => {
    const { browser, accountId, balance, entries, firstRun } = await signUp();
    expect(await balance()).toBe(5);
    expect(await entries()).toMatchObject([{ kind: 'top_up', amount: 5 }]);
    expect((await firstRun()).steps).toEqual({ agent: false, number: true, funds: true, key: false, call: false });

    const settings = { name: 'Greeter', first_message: 'Hello.' };
    const made = await browser.request('POST', `accounts/${accountId}/agents`, { json: { settings } });
    const agentId = /"id":"([^"]+)"/.exec(made.text)?.[1];
    const json = { to_number: '+12025550100', agent_id: agentId };
    const placed = await browser.request('POST', `accounts/${accountId}/outbound/calls`, { json });
    expect([placed.status, placed.call().caller_number]).toEqual([201, '+12025550198']);
    await browser.request('POST', `accounts/${accountId}/api-keys`, { json: { name: 'laptop', expires_at: null } });
    const all = { agent: true, number: true, funds: true, key: true, call: true };
    expect(await firstRun()).toEqual({ steps: all, dismissed: false });
  });

  it('gets it once, even for concurrent sign-ups of one person', async () => {
    const json = newUser();
    const count = async () =>
      (
        await api.database.side.$queryRaw<{ n: number }[]>`
        SELECT count(*)::int AS n FROM ledger_entries WHERE idempotency_key = 'trial-credit'`
      )[0]?.n ?? 0;
    const before = await count();
    await Promise.all([1, 2, 3].map(() => openBrowser(api).request('POST', 'users', { json })));
    expect(await count()).toBe(before + 1);
    const books = await api.database.side.$queryRaw<{ account: string }[]>`
      SELECT w.account_id::text AS account FROM wallets w WHERE w.balance_micros <>
        (SELECT COALESCE(sum(e.amount_micros), 0) FROM ledger_entries e WHERE e.account_id = w.account_id)`;
    expect(books).toEqual([]);
  });

  it('shows each member the first steps until that member dismisses them', async () => {
    const { browser, accountId, firstRun } = await signUp();
    const path = `accounts/${accountId}/first-run`;
    for (const dismissed of [true, false]) {
      const answer = await browser.request('PUT', path, { json: { dismissed } });
      expect(firstRunEnvelopeSchema.parse(answer.json).first_run.dismissed).toBe(dismissed);
      expect((await firstRun()).dismissed).toBe(dismissed);
    }
    expect((await browser.request('PUT', path, { json: {} })).error().param).toBe('dismissed');
  });
});

describe('strangers get no credit', () => {
  it('once a trunk leads to real telephones, even with OUTDIAL_TEST_NUMBERS', async () => {
    await addTrunk('main', 'sip:trunk.example');
    expect(await (await signUp()).balance()).toBe(0);
    expect((await (await signUp()).firstRun()).steps.number).toBe(false);
    await api.admin.trunks.setEnabled(trunkNameSchema.parse('main'), false);
    expect(await (await signUp()).balance()).toBe(5);
    // The simulated network that `npm start` runs.
    await addTrunk('callee', 'sip:127.0.0.1:5080');
    expect(await (await signUp()).balance()).toBe(5);
  });

  it('where test numbers are not offered; a credit set there prevents the start', async () => {
    const real = await openApi();
    const { balance, entries } = await signUp(real);
    expect([await balance(), await entries()]).toEqual([0, []]);
    await real.close();
    await expect(openApi({ dashboard: { OUTDIAL_TRIAL_CREDIT: '5' } })).rejects.toThrow('OUTDIAL_TRIAL_CREDIT');
  });
});
