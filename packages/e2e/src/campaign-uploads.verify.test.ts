import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';
import type { Visit } from '../test/visit.ts';

/** 60,000 contacts, which take half a minute at the speed below. */
const LARGE_CSV = `phone\n${Array.from({ length: 60_000 }, (_, index) => `+120255${String(index).padStart(5, '0')}`).join('\n')}\n`;
const SLOW_BYTES_PER_SECOND = 25_000;

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

async function openWizard(): Promise<Visit> {
  const account = await stage.account({ agent: { first_message: 'Hello, this is a reminder.' } });
  const visit = await stage.visit();
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  await visit.page.goto(`/accounts/${account.id}/campaigns/new`);
  await visit.page.getByRole('heading', { name: 'New campaign', level: 1 }).waitFor();
  return visit;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const fileButton = (page: Page): Locator => page.getByRole('button', { name: 'File', exact: true });

async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName = '', content = '']) => {
      const data = new DataTransfer();
      data.items.add(new File([content], fileName, { type: 'text/csv' }));
      return data;
    },
    [name, text],
  );
  await fileButton(page).dispatchEvent('drop', { dataTransfer });
}

/** From now on the page sends that slowly. @returns lifts the limit */
async function limitUpload({ context, page }: Visit, bytesPerSecond: number): Promise<() => Promise<void>> {
  const session = await context.newCDPSession(page);
  const limit = async (uploadThroughput: number) => {
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  };
  await limit(bytesPerSecond);
  return () => limit(-1);
}

test('a dropped file is read, and the one dropped after it takes its place', async () => {
  const { page, faults } = await openWizard();
  await page.getByLabel('Name', { exact: true }).fill('Dropped');
  await drop(page, 'first.csv', 'phone\n+12025550100\n');
  await fileButton(page).getByText('first.csv').waitFor();
  await drop(page, 'second.csv', 'phone\n+12025550101\n+12025550102\n');
  await fileButton(page).getByText('second.csv').waitFor();
  await press(page, 'Create draft and add contacts');
  await page.getByText('2 contacts added.').waitFor();
  expect(faults).toEqual([]);
});

test('an upload that its user stops adds nothing, and the same file can be sent again', async () => {
  const visit = await openWizard();
  const { page, faults } = visit;
  await page.getByLabel('Name', { exact: true }).fill('Stopped');
  await page.locator('input[type=file]').setInputFiles({
    name: 'large.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(LARGE_CSV),
  });
  const liftLimit = await limitUpload(visit, SLOW_BYTES_PER_SECOND);
  await press(page, 'Create draft and add contacts');
  await page.getByText('Sending large.csv').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await page.getByRole('dialog', { name: 'Stop the upload?' }).waitFor();
  await press(page, 'Keep sending');
  await press(page, 'Stop upload');
  await page.getByText('The upload was stopped, and nothing of large.csv was added.').waitFor();
  await page.getByText('The campaign has no contacts yet.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await liftLimit();
  await press(page, 'Add contacts');
  await page.getByText('60,000 contacts added.').waitFor();
  await page.getByText('The campaign has 60,000 contacts.').waitFor();
  expect(faults).toEqual([]);
});
