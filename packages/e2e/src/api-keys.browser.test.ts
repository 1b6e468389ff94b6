import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

test('a new user creates a key that works, is shown once, and is rejected a second after it was revoked', async () => {
  const { page, faults } = await stage.visit();
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Your name').fill('Ada Lindqvist');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await page.getByLabel('Account name').fill('Northwind Dental');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Your first call' }).waitFor();

  await page.getByRole('link', { name: 'API keys' }).first().click();
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('production');
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  const key = (await dialog.getByLabel('API key', { exact: true }).textContent()) ?? '';
  const askAccount = () => fetch(`${stage.url}/api/v1/account`, { headers: { 'X-API-Key': key } });
  const answer = await askAccount();
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ account: { name: 'Northwind Dental', wallet: { currency: 'USD' } } });

  await page.reload();
  const row = page.getByRole('row', { name: 'production' });
  await row.waitFor();
  expect(await page.content()).not.toContain(key);

  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke API key' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('Show revoked and expired keys').check();
  await row.getByText('Revoked').waitFor();
  // A process may cache a key for at most a second: after that, no process accepts it.
  await sleep(1_000);
  const refused = await askAccount();
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
  expect(faults).toEqual([]);
});
