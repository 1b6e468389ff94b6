import { randomUUID } from 'node:crypto';
import { callingPolicyEnvelopeSchema, sessionEnvelopeSchema, type PolicyPack } from '@outdial/contracts';
import { PACKS } from '@outdial/policies';
import { expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../../../test/browser.ts';
import { openApi, type StoreUrls, type TestApi } from '../../../test/open-api.ts';

async function start(defaultPolicy: PolicyPack, stores?: StoreUrls): Promise<TestApi> {
  const api = await openApi({ defaultPolicy, ...(stores && { stores }) });
  onTestFinished(() => api.close());
  return api;
}

async function policyAfterSignUp(api: TestApi) {
  const browser = openBrowser(api);
  const user = { name: 'Sam', email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
  const signedUp = await browser.request('POST', 'users', { json: user });
  const [membership] = sessionEnvelopeSchema.parse(signedUp.json).session.memberships;
  const answer = await browser.request('GET', `accounts/${membership?.account_id}/account/calling-policy`);
  return callingPolicyEnvelopeSchema.parse(answer.json).calling_policy;
}

it('an account that signs up begins with the default of the first start; a later start changes nothing', async () => {
  const api = await start('us');
  expect(await policyAfterSignUp(api)).toMatchObject({ ...PACKS.us.settings, version: 1, saved_by: 'default' });
  for (const pack of ['standard', 'open'] as const) {
    const later = await start(pack, api.stores);
    expect(await policyAfterSignUp(later)).toMatchObject({ pack: 'us', version: 1 });
  }
});

it('an account that signs up has no policy where the default is open', async () => {
  expect(await policyAfterSignUp(await start('open'))).toMatchObject({ version: 0, saved_by: null });
});
