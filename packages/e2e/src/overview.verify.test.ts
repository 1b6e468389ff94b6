import { expect, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import type { Person, SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
let account: SeededAccount;
let person: Person;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  account = await stage.account({ agent: { name: 'Appointment reminder' } });
  person = await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] });
  const calls = await Promise.all(
    ['0100', '0100', '0101'].map((digits) => stage.place(account, { toNumber: `+1202555${digits}` })),
  );
  await Promise.all(calls.map(({ id }) => stage.untilEnded(account, id)));
});

test('the sign-in leads to the overview, which shows the calls’ outcomes as a chart and a table', async () => {
  const { page, faults, signIn } = await stage.visit();
  await signIn(person);
  await page.waitForURL(/\/overview$/);
  const figure = (name: string) => page.getByRole('region', { name, exact: true });
  await figure('Calls').getByText('3', { exact: true }).waitFor();
  await figure('Answer rate').getByText('67%').waitFor();
  await page.getByRole('img', { name: /Bar chart by day: Completed 2.*Unanswered 1/ }).waitFor();
  const agents = page.getByRole('table', { name: 'Agents' });
  await agents.getByRole('row', { name: /Appointment reminder 3 67%/ }).waitFor();
  await page.getByRole('table', { name: 'Caller numbers' }).getByRole('row').nth(1).waitFor();

  await page.getByText('Table', { exact: true }).click();
  const outcomes = page.getByRole('table', { name: 'Calls by outcome' });
  expect(await outcomes.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual([
    expect.stringMatching(/^\d+ \w+$/),
    '2',
    '0',
    '1',
    '0',
    '0',
    '0',
    '3',
  ]);
  await page.getByRole('link', { name: 'Appointment reminder' }).click();
  await page.waitForURL(/\/calls\?agent_id=/);
  expect(faults).toEqual([]);
});

test('another range and another time zone are kept in the URL, and a range without calls says so', async () => {
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(person);
  await page.goto('/');
  await page.getByText('30 days', { exact: true }).click();
  await page.waitForURL(/range=30-days/);
  await page.getByText('Custom', { exact: true }).click();
  await page.getByLabel('Start date').fill('2026-01-01');
  await page.getByLabel('End date').fill('2026-01-05');
  await page.getByText('No calls ended in this period').waitFor();
  await page.reload();
  await page.getByText('No calls ended in this period').waitFor();
  expect(await page.getByLabel('End date').inputValue()).toBe('2026-01-05');
  expect(faults).toEqual([]);
});

test('the overview has no accessibility violations, with calls and without', async () => {
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(person);
  await page.goto('/');
  await page.locator('.recharts-surface').first().waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByText('Table', { exact: true }).click();
  await page.getByRole('table', { name: 'Calls by outcome' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(`/accounts/${account.id}/overview?range=custom&from=2026-01-01&to=2026-01-02`);
  await page.getByText('No calls ended in this period').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('the page serves its own typeface, and its first load is at most 250 KB', async () => {
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(person);
  await page.goto('/');
  await expect
    .poll(() => page.evaluate(() => [...document.fonts].some(({ status }) => status === 'loaded')))
    .toBe(true);
  expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(/^"Inter Variable"/);
  const html = await (await fetch(stage.url)).text();
  const named = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|woff2))"/g)].map(([, path]) => path ?? '');
  expect(named).toContainEqual(expect.stringMatching(/inter-latin-wght-normal-.*\.woff2$/));
  const sizes = await Promise.all(['/', ...new Set(named)].map(gzippedBytes));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250 * 1_024);
  expect(faults).toEqual([]);
});

async function gzippedBytes(path: string): Promise<number> {
  const answer = await fetch(`${stage.url}${path}`, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
  return Number(answer.headers.get('content-length'));
}
