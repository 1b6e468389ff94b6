import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../../../test/browser.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

it('a flood of failing sign-ins is rejected early, and a valid one from another network succeeds', async () => {
  const { email, password } = await api.signIn();
  const signIn = (address: string, json: object) =>
    openBrowser(api, address).request('POST', 'session', { json, once: true });
  // More than may wait in all, from few networks. Among many networks the valid one would have no advantage.
  const crowd = Array.from({ length: 60 }, (_, index) =>
    signIn(`192.0.2.${index % 4}`, { email: `${index}@example.com`, password: 'wrong password' }),
  );
  const honest = signIn('198.51.100.7', { email, password });

  expect((await honest).status).toBe(200);
  const answers = await Promise.all(crowd);
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.every(({ status }) => status === 401 || status === 503)).toBe(true);
  // At most 2 run and 32 wait: the others are rejected at once.
  expect(refused.length).toBeGreaterThan(0);
  for (const each of refused) {
    expect([each.error().code, each.headers.get('retry-after')]).toEqual(['service_unavailable', '2']);
  }
});
