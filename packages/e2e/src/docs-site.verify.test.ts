import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  // Returns at once if the site is built from the same sources.
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../../docs/build.mjs', import.meta.url))]);
  stage = sharedStage;
});

test('the documentation is read, searched and navigated within its policy, without another host', async () => {
  const { page, faults } = await stage.visit();
  await page.goto('/docs/');
  await page.getByRole('link', { name: 'Place your first call' }).click();
  await page.getByRole('heading', { name: 'Your first call' }).waitFor();
  // An inline script of the page has run: it marks the platform or sets the colors before the first paint.
  await page.goto('/docs/architecture');
  const diagram = page.getByRole('img', { name: /A client sends a request/ });
  await diagram.waitFor();
  expect(await diagram.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill('queue_expired');
  await page.locator('a[href*="/docs/reference/ended-reasons"]').first().waitFor();
  await page.keyboard.press('Escape');
  await page.goto('/docs/runbook');
  await page.getByRole('link', { name: 'alerts.yml' }).waitFor();
  expect((await page.request.get('/docs/alerts.yml')).status()).toBe(200);
  expect(faults).toEqual([]);
});

test('a link to an operation of the API reference at its old address opens it at the new one', async () => {
  const { page, faults } = await stage.visit();
  await page.goto('/docs#/Calls/createCall');
  await page.waitForURL('**/docs/api#/Calls/createCall');
  await page.getByText('/api/v1/outbound/calls', { exact: false }).first().waitFor();
  expect(faults).toEqual([]);
});

test('a link of the site opens the API reference', async () => {
  const { page, faults } = await stage.visit();
  await page.goto('/docs/start');
  await page.getByRole('link', { name: 'Try the API' }).first().click();
  await page.waitForURL('**/docs/api');
  await page.getByText('/api/v1/outbound/calls', { exact: false }).first().waitFor();
  expect(faults).toEqual([]);
});
