import { expect, it } from 'vitest';
import { openApi } from '../../test/open-api.ts';
import { openBrowser } from '../../test/browser.ts';

it('X-Forwarded-For evades no limit of attempts without trusted proxies', async () => {
  const api = await openApi({ dashboard: { OUTDIAL_TRUSTED_PROXIES: '' } });
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) {
    const json = { email: 'sam@example.com', password: 'wrong password' };
    const answer = await openBrowser(api, `192.0.2.${count}`).request('POST', 'session', { json });
    statuses.push(answer.status);
  }
  await api.close();
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
});
