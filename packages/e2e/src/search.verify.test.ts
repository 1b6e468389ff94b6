import { expect, test } from 'vitest';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

test('calls are found by a part of the number, their id and their metadata, and no search text is ignored', async () => {
  const account = await stage.account();
  const person = await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] });
  const [busy, declined] = await Promise.all([
    stage.place(account, { toNumber: '+12025550101', metadata: { order: 'A-1042' } }),
    stage.place(account, { toNumber: '+12025550103', metadata: { order: 'A-1043' } }),
  ]);
  await Promise.all([busy, declined].map(({ id }) => stage.untilEnded(account, id)));
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(person);
  await page.goto(`/accounts/${account.id}/calls`);
  const search = page.getByRole('textbox', { name: 'Search calls' });
  const rows = page.getByRole('table', { name: 'Calls' }).locator('[data-call-link]');
  const found = () => rows.evaluateAll((links) => links.map((link) => link.getAttribute('data-call-link')));
  await expect.poll(() => rows.count()).toBe(2);
  for (const [text, ids] of [
    ['0101', [busy.id]],
    ['555-0103', [declined.id]],
    ['(202) 555', [busy.id, declined.id]],
    [busy.id, [busy.id]],
    ['order=a-1043', [declined.id]],
    ['A-1042', [busy.id]],
  ] as const) {
    await search.fill(text);
    await expect.poll(async () => new Set(await found())).toEqual(new Set<string | null>(ids));
  }
  for (const text of ['7', 'xyz', '99999']) {
    await search.fill(text);
    await page.getByText('No calls match your filters').waitFor();
    await page.waitForURL((url) => url.searchParams.get('search') === text);
  }
  await search.fill('x'.repeat(201));
  await page.getByText('The search must be at most 200 characters').waitFor();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  expect(faults).toEqual([]);
});
