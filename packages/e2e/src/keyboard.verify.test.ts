import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { standing } from '../test/call-pages.ts';
import { openStage, type Stage } from '../test/stage.ts';

let stage: Stage;
beforeAll(async () => {
  // At real speed: the agent waits minutes for a silent callee, which is enough for a slow machine.
  stage = await openStage({ speed: 1 });
});
afterAll(() => stage.close());

const MOST_STEPS = 80;

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target.toString()} cannot be reached by Tab`);
}

test('a user without a mouse signs in, places a call, writes a note on it, hangs up and finds it again', async () => {
  const patient = { first_message: 'Hello.', no_input: { prompt: 'Are you there?', after_ms: 60_000, times: 5 } };
  const account = await stage.account({ agent: patient });
  const person = await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] });
  const { page, faults, goto } = await stage.visit();
  const { keyboard } = page;
  await goto('/');
  await tabTo(page, page.getByLabel('E-mail'));
  await keyboard.type(person.email);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await keyboard.type(person.password);
  await keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
  await keyboard.press('n');
  await tabTo(page, page.getByRole('combobox', { name: 'Number to call' }));
  await keyboard.type('+12025550108');
  await tabTo(page, page.getByRole('button', { name: 'Place call' }));
  await keyboard.press('Enter');

  await standing(page, 'In progress').waitFor();
  await tabTo(page, page.getByRole('textbox', { name: 'Note' }));
  await keyboard.type('Says nothing. n');
  await keyboard.press('Control+Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Hang up' }));
  await keyboard.press('Enter');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Hang up' }));
  await keyboard.press('Enter');
  await standing(page, 'Hung up by you').waitFor();

  await keyboard.press('Escape');
  await page.locator('#main').focus();
  await keyboard.press('g');
  await keyboard.press('c');
  await page.getByRole('cell', { name: 'Hung up by you' }).waitFor();
  await keyboard.press('j');
  await keyboard.press('Enter');
  await standing(page, 'Hung up by you').waitFor();
  expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('Says nothing. n');
  await keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);
});

test('every focused element shows its focus', async () => {
  const account = await stage.account();
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await page.goto(`/accounts/${account.id}/api-keys`);
  await page.getByText('Use your API key').waitFor();
  const [seen, unseen] = [new Set<string>(), new Set<string>()];
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    await page.keyboard.press('Tab');
    const { html, isMarked } = await page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const hasOutline = outlineStyle !== 'none' && outlineWidth !== '0px';
      return { html: element.outerHTML.slice(0, 160), isMarked: hasOutline || boxShadow !== 'none' };
    });
    (isMarked ? seen : unseen).add(html);
  }
  expect([...unseen].filter((html) => !html.startsWith('<body'))).toEqual([]);
  expect(seen.size).toBeGreaterThan(10);
  expect(faults).toEqual([]);
});
