import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { faultsInStates, press } from '../test/page-states.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

const KEY = 'sk-first-key-7f3a';
const NEW_KEY = 'sk-second-key-91bc';

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

test('an owner adds a credential, checks, uses, rotates and deletes it, and no page shows its key', async () => {
  const account = await stage.account();
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await page.goto(`/accounts/${account.id}/credentials`);
  await page.getByRole('button', { name: 'Add credential' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Provider').selectOption('OpenAI-compatible server');
  await dialog.getByLabel('Name').fill('house');
  await dialog.getByLabel('Key', { exact: true }).fill(KEY);
  await dialog.getByRole('button', { name: 'Add credential' }).click();
  await dialog.getByText('Is required for openai_compatible').waitFor();
  await dialog.getByLabel('Base URL').fill('https://models.example.com/v1');
  await dialog.getByRole('button', { name: 'Add credential' }).click();
  const row = page.getByRole('row', { name: 'house' });
  await row.getByText('…7f3a').waitFor();

  await row.getByRole('button', { name: 'Limits' }).click();
  await dialog.getByLabel('Most calls at once').fill('8');
  await dialog.getByRole('button', { name: 'Change limits' }).click();
  await page.getByText('Limits of “house” changed.').waitFor();
  await row.getByRole('button', { name: 'Limits' }).click();
  await expect.poll(() => dialog.getByLabel('Most calls at once').inputValue()).toBe('8');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await row.getByRole('button', { name: 'Check' }).click();
  await dialog.getByRole('button', { name: 'Check credential' }).click();
  await dialog.getByText('This says nothing about the key.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await row.getByText('Not reachable').waitFor();

  await page.goto(`/accounts/${account.id}/agents/new?driver=cascade`);
  await page.getByLabel('Name', { exact: true }).fill('Concierge');
  await page.getByLabel('Instructions').fill('Help.');
  const model = page.getByRole('group', { name: 'Language model' });
  await model.getByLabel('Provider').selectOption('OpenAI-compatible server');
  await model.getByLabel('Credential').selectOption('house');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByText('Agent “Concierge” created.').waitFor();

  await page.goto(`/accounts/${account.id}/credentials`);
  await row.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByLabel('New key').fill(NEW_KEY);
  await dialog.getByRole('button', { name: 'Rotate credential' }).click();
  await row.getByText('…91bc').waitFor();
  expect(await page.content()).not.toMatch(new RegExp(`${KEY}|${NEW_KEY}`));

  await row.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Concierge').waitFor();
  await dialog.getByRole('button', { name: 'Delete credential' }).click();
  await page.getByText('No credentials yet').waitFor();
  expect(faults).toEqual([]);
});

/** Secrets have a button of the same name, and either table may come first. */
const deleteCredential = (page: Page) =>
  page.getByRole('row', { name: 'voices' }).getByRole('button', { name: 'Delete' }).click();

test('the page of credentials and its dialogs have no accessibility violations', async () => {
  const account = await stage.account();
  const visit = await stage.visit();
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  const { request } = visit.page;
  const root = `/api/dashboard/accounts/${account.id}`;
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const data = { provider: 'deepgram', name: 'voices', api_key: KEY, region: 'eu' };
  expect((await request.post(`${root}/provider-credentials`, { headers, data })).status()).toBe(201);
  expect((await request.put(`${root}/secrets/CRM_TOKEN`, { headers, data: { value: KEY } })).status()).toBe(200);
  const path = `/accounts/${account.id}/credentials`;
  const found = await faultsInStates(visit, [
    { path, words: 'Region eu', alsoWords: ['CRM_TOKEN'] },
    { path, words: 'We seal it and never show it again', act: press('Add credential') },
    { path, words: 'Also asks whether the provider has this model', act: press('Check') },
    { path, words: 'New calls use the new key', act: press('Rotate') },
    { path, words: 'No agent uses this credential', act: deleteCredential },
    { path, words: 'Such as CRM_TOKEN', act: press('Add secret') },
    { path, words: 'We seal it and never show it again', act: press('Replace') },
  ]);
  expect(found).toEqual([]);
});

test('a member sees no credentials and may not read them', async () => {
  const account = await stage.account();
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  await page.goto(`/accounts/${account.id}/credentials`);
  await page.getByText('Only account owners can manage credentials').waitFor();
  expect(await page.getByRole('link', { name: 'Credentials' }).count()).toBe(0);
  for (const route of ['provider-credentials', 'secrets']) {
    const answer = await page.request.get(`/api/dashboard/accounts/${account.id}/${route}`);
    expect(answer.status()).toBe(403);
  }
  expect(faults).toEqual([]);
});
