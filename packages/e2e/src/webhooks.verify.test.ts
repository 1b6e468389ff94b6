import { createHmac } from 'node:crypto';
import { invariant } from '@outdial/kernel';
import { expect, onTestFinished, test } from 'vitest';
import { faultsInStates, press } from '../test/page-states.ts';
import { openReceiver, type Received } from '../test/receiver.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

function signatureOf({ headers, body }: Received, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

test('an owner adds an endpoint, sees its secret once, and a test message reaches the receiver', async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  [receiver.status, receiver.answer] = [200, 'Thank you.'];
  const account = await stage.account();
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await page.goto(`/accounts/${account.id}/webhooks`);
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('nowhere');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByText('Must be a URL such as https://example.com/hooks').waitFor();
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByLabel('call.ended').check();
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = (await dialog.getByLabel('Secret', { exact: true }).textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByText('No deliveries').waitFor();
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('button', { name: 'Send test' }).click();
  const row = page.getByRole('row', { name: 'webhook.test' });
  await row.getByText('Delivered').waitFor();
  const [first] = receiver.requests;
  invariant(first !== undefined, 'the receiver has the message');
  expect(first.headers['webhook-signature']).toBe(signatureOf(first, secret));

  await row.getByRole('button', { name: 'View' }).click();
  await dialog.getByText('Receiver answered 200').waitFor();
  await dialog.getByText('Thank you.').waitFor();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => receiver.requests.length).toBe(2);
  expect(receiver.requests[1]?.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(faults).toEqual([]);
});

test('the pages of webhooks and their dialogs have no accessibility violations', async () => {
  const account = await stage.account();
  const visit = await stage.visit();
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  const path = `/accounts/${account.id}/webhooks`;
  const empty = await faultsInStates(visit, [
    { path, words: 'No endpoints yet' },
    { path, words: 'None chosen means all', act: press('Add endpoint') },
    { path, words: 'It signs what is sent to per-call URLs', act: press('Make secret') },
  ]);
  const created = await visit.page.request.post(`/api/dashboard${path.replace('/webhooks', '/webhook-endpoints')}`, {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    data: { url: 'https://hooks.customer.com/', description: 'Our CRM' },
  });
  expect(created.status()).toBe(201);
  await visit.page.goto(path);
  await visit.page.getByRole('link', { name: 'https://hooks.customer.com/' }).click();
  await visit.page.getByText('No deliveries').waitFor();
  const ofEndpoint = new URL(visit.page.url()).pathname;
  const found = await faultsInStates(visit, [
    { path, words: 'Our CRM' },
    { path: ofEndpoint, words: 'No deliveries' },
    { path: ofEndpoint, words: 'Messages that were sent before', act: press('Replay since…') },
    { path: ofEndpoint, words: 'You get a new secret', act: press('Rotate secret') },
    { path: ofEndpoint, words: 'It receives nothing from now on', act: press('Disable') },
    { path: ofEndpoint, words: 'You cannot undo this', act: press('Delete') },
  ]);
  expect([...empty, ...found]).toEqual([]);
});
