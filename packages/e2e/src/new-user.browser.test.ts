import { randomUUID } from 'node:crypto';
import { e164Schema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { pressPlaceCall, standing, watchSound } from '../test/call-pages.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  // Brings rates for the currency: this test must not rely on a file that ran before.
  await stage.account();
  // As `npm start` creates it.
  await stage.admin.numbers.add({ accountId: null, e164: e164Schema.parse('+12025550198'), isDefault: true });
});

/** The longest time from the sign-up to the sound of the first call. */
const MOST_MS = 120_000;

test('a new user gets from the sign-up to a playing recording without an operator or a mail server', async () => {
  const { page, faults, expectStatus } = await stage.visit();
  expectStatus(503);
  const currentSeconds = await watchSound(page);
  const begunMs = performance.now();
  await page.goto('/sign-up');
  await page.getByLabel('Your name').fill('Grace Okafor');
  await page.getByLabel('E-mail').fill(`${randomUUID()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await page.getByRole('button', { name: 'Sign up' }).click();

  const steps = page.getByRole('region', { name: 'Your first call' });
  const step = (words: string) => steps.getByRole('listitem').filter({ hasText: words });
  await steps.getByText('2 of 5 steps completed').waitFor();
  await step('Get a caller number, completed').waitFor();
  await step('Add funds, completed').waitFor();

  await page.getByRole('link', { name: 'Numbers', exact: true }).click();
  await page.getByText('Your calls use the system number.').waitFor();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();

  await step('Create an agent, to do').getByRole('link', { name: 'Create agent' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Greeter');
  await page.getByLabel('First message').fill('مرحبا');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByText('use Latin letters and digits').waitFor();
  await page.getByLabel('First message').fill('Hello, this is my first call.');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('region', { name: 'Versions' }).getByRole('cell', { name: 'Grace Okafor' }).waitFor();

  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await step('Create an agent, completed').waitFor();
  await step('Place a call, to do').getByRole('link', { name: 'Place a call' }).click();
  await page.getByRole('combobox', { name: 'Number to call' }).fill('+12025550100');
  await page.getByText(/^In New York it is \d\d:\d\d$/).waitFor();
  await pressPlaceCall(page);
  await standing(page, 'Agent hung up').waitFor();
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(currentSeconds).toBeGreaterThan(0.5);
  expect(performance.now() - begunMs).toBeLessThan(MOST_MS);

  await page.getByRole('link', { name: 'Calls', exact: true }).first().click();
  await step('Place a call, completed').waitFor();
  await page.getByRole('button', { name: 'Hide these steps' }).click();
  await steps.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
  await page.getByRole('row').nth(1).waitFor();
  expect(await steps.count()).toBe(0);
  expect(faults).toEqual([]);
});

test('when two tabs save one agent, the second is stopped, keeps its changes, and offers a choice', async () => {
  const visit = await stage.visit();
  visit.expectStatus(409);
  const account = await stage.account();
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  const path = `/accounts/${account.id}/agents/${account.agentId}`;
  const other = await visit.context.newPage();
  for (const page of [visit.page, other]) {
    await page.goto(path);
    await page.getByLabel('First message').waitFor();
  }
  const save = async (page: typeof other, text: string) => {
    await page.getByLabel('First message').fill(text);
    await page.getByRole('button', { name: 'Save new version' }).click();
  };
  await save(other, 'Hello from the other tab.');
  await other.getByText('Version 2', { exact: true }).waitFor();

  await save(visit.page, 'Hello from this tab.');
  await visit.page.getByText('Version 2 was saved while you were editing').waitFor();
  expect(await visit.page.getByLabel('First message').inputValue()).toBe('Hello from this tab.');
  await visit.page.getByRole('button', { name: 'Keep my changes' }).click();
  await visit.page.getByText('replaces version 2').waitFor();
  await visit.page.getByRole('button', { name: 'Save new version' }).click();
  await visit.page.getByText('Version 3', { exact: true }).waitFor();

  await save(other, 'Once more from the other tab.');
  await other.getByRole('button', { name: /^Discard my changes/ }).click();
  await expect.poll(() => other.getByLabel('First message').inputValue()).toBe('Hello from this tab.');
  expect(visit.faults).toEqual([]);
});
