import type { Page } from 'playwright-core';
import { callingPolicySettingsSchema, WEEKDAYS } from '@outdial/contracts';
import { expect, onTestFinished, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import { faultsInStates, press } from '../test/page-states.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

const PHONE = { width: 390, height: 844 };
const week = (...times: string[]) => Object.fromEntries(WEEKDAYS.map((day) => [day, times]));
const OFFICE = callingPolicySettingsSchema.parse({
  windows: { default: week('08:00-12:00', '14:00-21:00'), 'US-FL': week('08:00-20:00') },
  closed_days: ['2026-12-25'],
  caps: [{ hours: 24, max: 3 }],
});

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

test('the states of the calling hours have no accessibility violations', async () => {
  const account = await stage.account();
  await stage.admin.policies.save(account.id, { ...OFFICE, caps: [] });
  await stage.admin.policies.save(account.id, OFFICE);
  const home = `/accounts/${account.id}/calling-hours`;
  const visit = await stage.visit();
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  const found = await faultsInStates(visit, [
    { path: home, words: 'Fla. Stat. 501.616(6)(a)', act: press(/^United States: /) },
    { path: home, words: 'Use again', act: press('View version 1') },
    { path: `${home}/edit`, words: 'Copy to every day', act: press('Copy Monday') },
    { path: `${home}/edit`, words: 'Hide times', act: press('Change times of Florida') },
    { path: `${home}/edit`, words: 'Choose one of the list', act: press('Add region') },
    { path: `${home}/edit`, words: 'What changes', act: press('Remove limit 1') },
  ]);
  expect(found).toEqual([]);
});

test('a member reads the hours and the operator’s rules, and changes neither', async () => {
  await stage.admin.policies.floor.set(callingPolicySettingsSchema.parse({ caps: [{ hours: 1, max: 50 }] }));
  onTestFinished(async () => {
    await stage.admin.policies.floor.set(null);
  });
  const account = await stage.account();
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  await page.goto(`/accounts/${account.id}/calling-hours`);
  const floor = page.getByRole('region', { name: 'Your operator’s rules' });
  await floor.getByText('At most 50 calls to a number in an hour.').waitFor();
  await page.getByText('Only owners change this.').waitFor();
  expect(await page.getByRole('link', { name: 'Edit calling hours' }).count()).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(`/accounts/${account.id}/calling-hours/edit`);
  await page.getByText('Only owners change the calling hours').waitFor();
  expect(faults).toEqual([]);
});

test('unsaved hours survive a reload, and leave with the user’s consent', async () => {
  const account = await stage.account();
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await page.goto(`/accounts/${account.id}/calling-hours/edit`);
  await press('United States')(page);
  await page.getByRole('textbox', { name: 'Sunday', exact: true }).fill('10-12');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText('We restored your unsaved draft.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Sunday', exact: true }).inputValue()).toBe('10-12');
  await page.getByRole('link', { name: 'Wallet' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await page.waitForURL(/\/wallet$/);
  await page.goto(`/accounts/${account.id}/calling-hours/edit`);
  await page.getByText('No changes.').waitFor();
  expect(faults).toEqual([]);
});

test('on a phone every part of the calling hours is in sight', async () => {
  const account = await stage.account();
  await stage.admin.policies.save(account.id, OFFICE);
  const { page, faults, beginSession } = await stage.visit({ viewport: PHONE });
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  for (const path of ['', '/edit']) {
    await page.goto(`/accounts/${account.id}/calling-hours${path}`);
    await page.getByRole('img', { name: /^Open hours/ }).waitFor();
    expect(await overflow(page)).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
  }
  expect(faults).toEqual([]);
});

/** The names of buttons and fields that are beyond the edge of the screen. */
function overflow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main :is(button, input, a, [role=img])')]
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth)
      .map((element) => element.getAttribute('aria-label') ?? element.outerHTML.slice(0, 80)),
  );
}

test('the keyboard alone changes the hours of a day and adds a region', async () => {
  const account = await stage.account();
  const { page, faults, beginSession } = await stage.visit();
  const { keyboard } = page;
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await page.goto(`/accounts/${account.id}/overview`);
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
  await keyboard.press('g');
  await keyboard.press('t');
  await page.getByRole('heading', { name: 'Calling hours', level: 1 }).waitFor();
  // A new page takes the focus once it is there.
  await page.locator('#main:focus').waitFor();
  await page.getByRole('link', { name: 'Edit calling hours' }).focus();
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Edit calling hours', level: 1 }).waitFor();
  await page.locator('#main:focus').waitFor();
  await page.getByRole('button', { name: 'Considerate hours' }).focus();
  await keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Monday', exact: true }).focus();
  await keyboard.press('ControlOrMeta+A');
  await keyboard.type('9-12');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  // Past the button that removes the time: the one that adds another.
  await keyboard.press('Enter');
  expect(await page.getByRole('textbox', { name: 'Monday, time 2' }).inputValue()).toBe('13:00-24:00');
  await page.getByRole('combobox', { name: 'Country or region' }).focus();
  await keyboard.type('us-tx');
  await keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Texas, Monday', exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Texas, Tuesday', exact: true }).focus();
  // As in any form, Enter in a field saves.
  await keyboard.press('Enter');
  const inForce = page.getByRole('region', { name: 'In force' });
  await inForce.getByText('Mon 09:00–12:00 and 13:00–24:00, Tue–Sun 08:00–21:00, by the').waitFor();
  await inForce.getByText('Texas only Mon 09:00–12:00 and').waitFor();
  expect(faults).toEqual([]);
});
