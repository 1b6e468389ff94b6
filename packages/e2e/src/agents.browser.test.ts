import { expect, test } from 'vitest';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

test('unsaved changes to an agent survive a version that another user saves', async () => {
  const account = await stage.account();
  const path = `/accounts/${account.id}/agents/${account.agentId}`;
  const [writer, other] = [await stage.visit(), await stage.visit()];
  for (const { page, beginSession } of [writer, other]) {
    await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
    await page.goto(path);
  }
  await writer.page.getByLabel('Closing').fill('See you on Monday.');
  await other.page.getByLabel('Closing').fill('Bye.');
  await other.page.getByRole('button', { name: 'Save new version' }).click();
  await other.page.getByText('Version 2 saved').waitFor();

  // The writer looks at another window for a while, and comes back.
  await writer.page.evaluate(async () => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 600_000;
    window.dispatchEvent(new Event('visibilitychange'));
    // The requests that the page sends on this are answered before these.
    for (let round = 0; round < 5; round += 1) await fetch('/api/dashboard/session');
  });
  expect(await writer.page.getByLabel('Closing').inputValue()).toBe('See you on Monday.');
  writer.expectStatus(409);
  await writer.page.getByRole('button', { name: 'Save new version' }).click();
  await writer.page.getByRole('button', { name: 'Keep my changes' }).click();
  await writer.page.getByRole('button', { name: 'Save new version' }).click();
  await writer.page.getByText('Version 3 saved').waitFor();
  expect(await writer.page.getByLabel('Closing').inputValue()).toBe('See you on Monday.');
  expect([...writer.faults, ...other.faults]).toEqual([]);
});
