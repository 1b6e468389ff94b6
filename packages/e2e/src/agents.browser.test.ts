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

test('a realtime agent is created, compared with its earlier version, and restored', async () => {
  const account = await stage.account();
  const { page, faults, beginSession, expectStatus } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  await page.goto(`/accounts/${account.id}/agents/new`);
  await page.getByRole('radio', { name: 'Realtime' }).check();
  await page.getByLabel('Name', { exact: true }).fill('Appointment');
  await page.getByLabel('Instructions').fill('You remind {{name}} of a visit.');
  await page.getByRole('region', { name: 'Variables' }).getByText('name', { exact: true }).waitFor();
  await page.getByLabel('Voice', { exact: true }).fill('darth');
  await page.getByText('Fix 1 field').waitFor();
  await page.getByLabel('Voice', { exact: true }).fill('cedar');

  // Only the service knows that no request may go there.
  await page.getByRole('button', { name: 'Add tool' }).click();
  await page.getByRole('menuitem', { name: 'HTTP request' }).click();
  await page.getByLabel('Tool name').fill('free_slots');
  await page.getByRole('group', { name: 'Tool 1: HTTP request' }).getByLabel('Description').fill('Finds free slots.');
  await page.getByLabel('URL').fill('https://10.0.0.1/slots');
  expectStatus(400);
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByText('Must name a host on the public internet', { exact: true }).waitFor();
  await page.getByLabel('URL').fill('https://example.com/slots');
  await page.getByRole('button', { name: 'Add tool' }).click();
  await page.getByRole('menuitem', { name: 'MCP server' }).click();
  const mcp = page.getByRole('group', { name: 'Tool 2: MCP server' });
  await mcp.getByLabel('Server name').fill('crm');
  await mcp.getByLabel('URL').fill('https://10.0.0.1/mcp');
  expectStatus(400);
  await page.getByRole('button', { name: 'Create agent' }).click();
  await mcp.getByText('Must name a host on the public internet', { exact: true }).waitFor();
  await mcp.getByText('The server is asked for its tools when you save the agent.').waitFor();
  await page.getByRole('button', { name: 'Remove tool 2' }).click();
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByText('Agent “Appointment” created.').waitFor();

  await page.getByLabel('Instructions').fill('You cancel visits.');
  await page.getByRole('button', { name: 'Save new version' }).click();
  await page.getByText('Version 2 saved').waitFor();
  await page.getByRole('button', { name: 'Compare version 1' }).click();
  const dialog = page.getByRole('dialog');
  const row = dialog.getByRole('row', { name: /^instructions/ });
  await row.waitFor();
  expect(await row.getByRole('cell').allInnerTexts()).toEqual([
    'instructions',
    'You remind {{name}} of a visit.',
    'You cancel visits.',
  ]);
  await dialog.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByText('Version 1 restored as version 3.').waitFor();
  expect(await page.getByLabel('Instructions').inputValue()).toBe('You remind {{name}} of a visit.');
  expect(await page.getByLabel('URL').inputValue()).toBe('https://example.com/slots');
  expect(faults).toEqual([]);
});
