import { createdWebhookEndpointSchema } from '@outdial/contracts';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { faultsInStates } from '../test/page-states.ts';
import { openReceiver } from '../test/receiver.ts';
import type { SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

const PHONE = { width: 390, height: 844 };

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

async function addEndpoint(page: Page, { id }: SeededAccount, url: string): Promise<string> {
  const created = await page.request.post(`/api/dashboard/accounts/${id}/webhook-endpoints`, {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    data: { url },
  });
  expect(created.status()).toBe(201);
  return createdWebhookEndpointSchema.parse(await created.json()).endpoint.id;
}

const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test('a call’s page lists its deliveries and leads to them, and the page of webhooks counts them', async () => {
  const [receiver, account, visit] = [await openReceiver(), await stage.account(), await stage.visit()];
  onTestFinished(() => receiver.close());
  const { page, faults } = visit;
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await addEndpoint(page, account, receiver.url);
  const call = await stage.place(account, { toNumber: '+12025550103' });
  await stage.untilEnded(account, call.id);

  await page.goto(`/accounts/${account.id}/calls/${call.id}`);
  const section = page.getByRole('region', { name: 'Webhooks' });
  const ended = section.getByRole('listitem').filter({ hasText: 'call.ended' });
  await ended.getByText('Delivered').waitFor();
  await ended.getByText('1 attempt').waitFor();
  await ended.getByText(receiver.url).waitFor();
  await ended.getByRole('link', { name: 'View delivery of call.ended' }).click();
  await page.getByRole('dialog').getByText('Receiver answered 204').waitFor();

  const path = `/accounts/${account.id}/webhooks`;
  await page.goto(path);
  await page.getByText(/^\d+ delivered$/).waitFor();
  const found = await faultsInStates(visit, [
    { path, words: receiver.url },
    { path: `/accounts/${account.id}/calls/${call.id}`, words: 'View delivery' },
  ]);
  expect([...found, ...faults]).toEqual([]);
  await page.setViewportSize(PHONE);
  await page.goto(path);
  await page.getByText(/^\d+ delivered$/).waitFor();
  expect(await scrollsSideways(page)).toBe(false);
});

test('a notice is above each page of the account until a member dismisses it, for all of them', async () => {
  const [account, owner, member] = [await stage.account(), await stage.visit(), await stage.visit({ viewport: PHONE })];
  await owner.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await member.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  const endpointId = await addEndpoint(owner.page, account, 'https://hooks.customer.com/');
  await stage.database.side.$queryRaw`SELECT disable_webhook_endpoint(${endpointId}::uuid, 'failing')`;
  const title = 'A webhook endpoint was disabled';
  const home = `/accounts/${account.id}`;
  const found = await faultsInStates(owner, [
    { path: `${home}/calls`, words: title },
    { path: `${home}/overview`, words: title },
  ]);
  expect(found).toEqual([]);
  await owner.page.getByRole('link', { name: 'View endpoint' }).click();
  await owner.page.getByText('Disabled: it failed for five days').waitFor();

  await member.page.goto(`${home}/agents`);
  await member.page.getByText(title).waitFor();
  expect(await scrollsSideways(member.page)).toBe(false);
  await member.page.getByRole('button', { name: 'Dismiss' }).click();
  await member.page.getByText(title).waitFor({ state: 'detached' });
  const isRead = owner.page.waitForResponse((response) => response.url().endsWith('/notices'));
  await Promise.all([isRead, owner.page.goto(`${home}/calls`)]);
  await owner.page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor();
  expect(await owner.page.getByText(title).count()).toBe(0);
  expect([...owner.faults, ...member.faults]).toEqual([]);
});
