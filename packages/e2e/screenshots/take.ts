import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { callingPolicySettingsSchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { openStage } from '../test/stage.ts';
import { openBusyAccount } from './busy-account.ts';
import { FOLDER, LOOKS, takeOff } from './looks.ts';

const DAY = ['08:00-21:00'];
const WORKDAYS = { mon: DAY, tue: DAY, wed: DAY, thu: DAY, fri: DAY };
const HOURS = callingPolicySettingsSchema.parse({
  windows: { default: { ...WORKDAYS, sat: ['10:00-18:00'] }, 'US-FL': { ...WORKDAYS } },
  closed_days: ['2026-12-25', '2027-01-01'],
  caps: [{ hours: 24, max: 3 }],
});
/** One line is no contact. */
const CONTACTS = Buffer.from(
  'phone,name,day,time\n+12025550143,Grace,Monday,half past nine\n+1 312 555 0178,Alan,Tuesday,ten\n14155,Mary,Monday,noon\n',
);

test('the overview, calls, a call, campaigns, a new one, the do-not-call list and the calling hours are pictured in every look', async () => {
  await mkdir(FOLDER, { recursive: true });
  // At real speed, so that durations are those of real calls.
  const stage = await openStage({ speed: 1 });
  try {
    const account = await openBusyAccount(stage);
    await stage.admin.policies.save(account.id, HOURS);
    const person = await stage.person({
      name: 'Ada Lindqvist',
      memberships: [{ accountId: account.id, role: 'owner' }],
    });
    for (const { name, ...look } of LOOKS) {
      const { page, faults, signIn } = await stage.visit(look);
      await signIn(person);
      await page.locator('.recharts-surface').first().waitFor();
      await takeOff(page);
      await page.screenshot({ path: join(FOLDER, `overview-${name}.png`) });
      await page.goto(`/accounts/${account.id}/calls`);
      await page.getByText('In progress').first().waitFor();
      await takeOff(page);
      await page.screenshot({ path: join(FOLDER, `calls-${name}.png`) });
      await page.goto(`/accounts/${account.id}/calls/${account.talkId}`);
      await page.getByRole('list', { name: 'Transcript' }).getByRole('button').nth(2).click();
      await page.locator('[aria-current=true]').waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await takeOff(page);
      await page.screenshot({ path: join(FOLDER, `call-${name}.png`) });
      await page.goto(`/accounts/${account.id}/campaigns`);
      await page.getByRole('table').getByText('Running').waitFor();
      await takeOff(page);
      await page.screenshot({ path: join(FOLDER, `campaigns-${name}.png`) });
      await page.goto(`/accounts/${account.id}/campaigns/${account.campaignId}`);
      await page.getByText('Outside its hours').waitFor();
      await page.getByRole('table', { name: 'Contacts' }).waitFor();
      await takeOff(page);
      await page.screenshot({ path: join(FOLDER, `campaign-${name}.png`), fullPage: true });
      await page.goto(`/accounts/${account.id}/do-not-call`);
      await page.getByRole('table').getByText('Opted out').waitFor();
      await takeOff(page);
      await page.screenshot({ path: join(FOLDER, `do-not-call-${name}.png`) });
      await page.goto(`/accounts/${account.id}/calling-hours`);
      await page.getByRole('img', { name: /^Open hours/ }).waitFor();
      await takeOff(page);
      await page.screenshot({ path: join(FOLDER, `calling-hours-${name}.png`) });
      await page.goto(`/accounts/${account.id}/campaigns/new`);
      await page.getByLabel('Name', { exact: true }).fill('Autumn reminders');
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: CONTACTS });
      await page.getByRole('table', { name: 'First lines of the file' }).waitFor();
      await page.getByRole('switch', { name: 'Call only in these hours' }).check();
      await page.getByRole('combobox', { name: 'Time zone of these hours' }).fill('America/New_York');
      await page.getByRole('checkbox', { name: 'Try again' }).check();
      await page.getByLabel('Calls that begin in a second').fill('5');
      await takeOff(page);
      await page.screenshot({ path: join(FOLDER, `new-campaign-${name}.png`), fullPage: true });
      await page.getByRole('button', { name: 'Create draft and add contacts' }).click();
      await page.getByRole('table', { name: 'Invalid lines' }).waitFor();
      await takeOff(page);
      await page.screenshot({ path: join(FOLDER, `check-campaign-${name}.png`), fullPage: true });
      expect(faults).toEqual([]);
    }
  } finally {
    await stage.close();
  }
});
