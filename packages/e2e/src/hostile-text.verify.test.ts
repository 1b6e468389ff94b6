import type { Turn } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import type { SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

/** Each would have an effect if it were treated as anything but text. */
const HOSTILE = [
  '<img src=x onerror="globalThis.owned=1">',
  '</script><script>globalThis.owned=1</script>',
  '"><svg/onload=globalThis.owned=1>',
  'javascript:globalThis.owned=1',
  '{{constructor.constructor("globalThis.owned=1")()}}',
  '<style>*{display:none}</style>',
  'https://evil.example/x.png',
  '=HYPERLINK("https://evil.example")',
  '\u202Eright to left\u202C \u200B\u200D\u2060 e\u0301\u0301\u0301\u0301',
];
const NAME = HOSTILE[0] ?? '';
const ALL = HOSTILE.join(' ');

const turn = (text: string, at: number): Turn => ({
  role: at % 2 === 0 ? 'agent' : 'callee',
  text,
  start_ms: at * 1_000,
  end_ms: at * 1_000 + 900,
  source: 'stt',
  interrupted: false,
});

let stage: Stage;
let account: SeededAccount;
let callId: string;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  account = await stage.account({
    name: NAME,
    agent: { name: NAME, first_message: `Hello ${ALL} {{name}}`, lines: [ALL], closing: ALL },
  });
  const metadata = { [NAME]: ALL };
  // Unanswered: what the agent would say is long, and is checked below.
  const call = await stage.place(account, { toNumber: '+12025550101', variables: { name: ALL, more: ALL }, metadata });
  callId = call.id;
  await stage.untilEnded(account, callId);
  const transcript = [...HOSTILE.map(turn), turn(ALL.repeat(Math.ceil(65_536 / ALL.length)), HOSTILE.length)];
  await stage.database.side.$executeRaw`
    UPDATE calls SET transcript = ${JSON.stringify(transcript)}::jsonb, summary = ${ALL} WHERE id = ${callId}::uuid`;
});

test('stored text is shown as text on every page that shows it', async () => {
  const { page, faults, beginSession } = await stage.visit();
  const memberships = [{ accountId: account.id, role: 'owner' as const }];
  await beginSession(await stage.person({ name: NAME, memberships, isOperator: true }));
  const home = `/accounts/${account.id}`;
  const shownAt = async (path: string, text = NAME) => {
    await page.goto(path);
    await page.getByText(text).first().waitFor();
  };

  await shownAt(`${home}/overview`);
  await shownAt(`${home}/calls`);
  await shownAt(`${home}/agents`);
  await shownAt(`${home}/agents/${account.agentId}`);
  await shownAt(`${home}/calls/new`);
  await shownAt(`${home}/members`);
  await shownAt('/profile');
  await shownAt('/operations');
  await shownAt(`${home}/calls/${callId}`);
  for (const text of HOSTILE) {
    await page.getByRole('list', { name: 'Transcript' }).getByText(text, { exact: true }).waitFor();
  }
  await page.getByRole('textbox', { name: 'Note' }).fill(ALL);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show JSON' }).click();
  await page.getByLabel('Call as JSON').getByText('onerror').waitFor();
  await page.reload();
  await expect.poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe(ALL);

  expect(await page.evaluate(() => Reflect.get(globalThis, 'owned'))).toBeUndefined();
  expect(await page.locator('img[src="x"], svg[onload], [onerror]').count()).toBe(0);
  expect(faults).toEqual([]);
});

test('text in a page’s address is shown as text or not at all, and causes no redirect', async () => {
  const { page, faults, signIn, expectStatus } = await stage.visit();
  const person = await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] });
  // Searches that are invalid or find nothing.
  expectStatus(400);
  expectStatus(404);
  expectStatus(410);
  for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:globalThis.owned=1']) {
    await page.context().clearCookies();
    await signIn(person, `/sign-in?next=${encodeURIComponent(next)}`);
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    expect(new URL(page.url()).origin).toBe(stage.url);
  }
  // Without a dot: a path that ends like a file name is served as a file.
  const inPath = encodeURIComponent('<img src=x onerror=owned()>');
  for (const path of [
    `/accounts/${inPath}/calls`,
    `/accounts/${account.id}/calls/${inPath}`,
    `/accounts/${account.id}/agents/${inPath}`,
    `/accounts/${account.id}/calls?status=${inPath}&to_number=${inPath}&agent_id=${inPath}`,
    `/accounts/${account.id}/calls/new?to_number=${inPath}&agent_id=${inPath}`,
    `/invitation#token=${inPath}`,
  ]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate(() => Reflect.get(globalThis, 'owned'))).toBeUndefined();
  }
  expect(faults).toEqual([]);
});

test('the watch detects everything that a page must not do', async () => {
  const { page, faults } = await stage.visit();
  await page.goto('/sign-in');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.owned = 1' }));
    document.body.append(Object.assign(document.createElement('img'), { src: 'http://evil.example/x.png' }));
    // In a task of the page: an error here would fail this call.
    setTimeout(() => {
      throw new Error('broken');
    });
  });
  const kinds = [/^policy: script-src-elem inline$/, /^policy: img-src http:\/\/evil\.example/, /^script: broken$/];
  await expect.poll(() => kinds.map((kind) => faults.some((fault) => kind.test(fault)))).toEqual([true, true, true]);
  const found = await accessibilityFaults(page);
  expect(found.some((text) => text.startsWith('light: image-alt'))).toBe(true);
});
