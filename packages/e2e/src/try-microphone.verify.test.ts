import { agentSettingsSchema, micros } from '@outdial/contracts';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import { openMicrophoneBrowser, type MicrophoneBrowser } from '../test/microphone.ts';
import { withStage } from '../test/shared-stage.ts';
import { slotsTool } from '../test/slots-tool.ts';
import type { Stage } from '../test/stage.ts';
import { openVisit } from '../test/visit.ts';

/** Again and again: a busy machine loses sound, as a bad line does. The pauses are long enough for the agent's answers. */
const HEARD = [{ silenceMs: 6_000 }, { text: 'Yes, speaking.' }, { silenceMs: 3_000 }];

let stage: Stage;
let microphone: MicrophoneBrowser;
let modelsUrl: string;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  modelsUrl = await stage.models();
});
beforeAll(async () => {
  microphone = await openMicrophoneBrowser(HEARD);
  const price = { priceMicrosPerMillion: micros(10_000_000), estimateMicrosPerMinute: micros(1_000) };
  const operator = stage.admin.credentialsOf(null);
  const name = 'tried by microphone';
  const { credentials } = await operator.list();
  if (credentials.some((credential) => credential.name === name)) return;
  await operator.create({
    provider: 'openai',
    name,
    apiKey: 'sk-simulated-demo',
    baseUrl: `${modelsUrl}/v1`,
    region: null,
    secretKey: stage.secretKey,
  });
  // Other tests of this platform need a realtime model without a price.
  const model = { provider: 'openai', model: 'gpt-realtime' } as const;
  const rates = [
    { ...model, component: 'realtime' as const, unit: 'output_audio_token' as const, ...price },
    { ...model, component: 'realtime' as const, unit: 'input_audio_token' as const, ...price },
    { ...model, component: 'realtime' as const, unit: 'output_text_token' as const, ...price },
    { ...model, component: 'stt' as const, model: '*', unit: 'second' as const, ...price },
  ];
  await stage.admin.modelRates.import({ currency: 'USD', rates });
});
afterAll(() => microphone.close());

const settings = () =>
  agentSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You remind people of a visit.',
    first_message: 'Good morning, this is the dental practice.',
    model: { provider: 'openai', model: 'gpt-realtime' },
    tools: [slotsTool(`${modelsUrl}/tools/free-slots`)],
  });

/** An owner on the page of an agent. */
async function visitAgent() {
  const account = await stage.account();
  const agent = await stage.admin.agents.create({ accountId: account.id, settings: settings() });
  const visit = await openVisit(microphone.browser, stage.url);
  // A busy machine may answer 503, and the page reads again.
  visit.expectStatus(503);
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await visit.page.goto(`/accounts/${account.id}/agents/${agent.id}`);
  const panel = visit.page.getByRole('region', { name: 'Try the agent' });
  const button = panel.getByRole('button', { name: 'Try by microphone' });
  return { ...visit, account, agent, panel, button };
}

/** With the keyboard. A busy machine may answer 503, which says so, and is asked again. */
async function beginByMicrophone(panel: Locator): Promise<void> {
  const hears = panel.getByText('The agent hears you. Speak as the callee.');
  const refused = panel.getByText('The try did not begin');
  do {
    await panel.getByRole('button', { name: 'Try by microphone' }).press('Enter');
    await hears.or(refused).waitFor();
  } while (await refused.isVisible());
}

/** The highest that a meter shows from now on. */
async function highestLevel(page: Page, name: string): Promise<number> {
  const meter = page.getByRole('progressbar', { name });
  let highest = 0;
  await expect
    .poll(async () => (highest = Math.max(highest, Number(await meter.getAttribute('aria-valuenow')))), {
      interval: 20,
    })
    .toBeGreaterThan(20);
  return highest;
}

test('a member talks with an agent, hears it, reads both sides, hangs up, and finds the charge', async () => {
  const { page, faults, account, panel, button } = await visitAgent();
  const log = panel.getByRole('log');
  await beginByMicrophone(panel);
  const end = panel.getByRole('button', { name: 'End conversation' });
  await expect.poll(() => end.evaluate((one) => one === document.activeElement)).toBe(true);
  const levels = await Promise.all([
    highestLevel(page, 'Level of your microphone'),
    highestLevel(page, 'Level of the agent'),
  ]);
  expect(Math.min(...levels)).toBeGreaterThan(20);
  await log.getByText('Yes, speaking.').first().waitFor();
  await log.getByText(/Agent: Good/).waitFor();
  await log.getByText('find_free_slots', { exact: true }).first().waitFor();
  await log
    .getByText(/Agent: Your appointment/)
    .first()
    .waitFor();
  await end.click();
  await log.getByText('You ended the conversation.').waitFor();
  await button.waitFor();
  expect(await panel.getByRole('progressbar').count()).toBe(0);
  expect(await panel.getByRole('alert').count()).toBe(0);

  await page.goto(`/accounts/${account.id}/wallet`);
  const row = page.getByRole('row', { name: /Try of an agent/ });
  await row.getByText('Appointment').waitFor();
  expect(await row.count()).toBe(1);
  expect(faults).toEqual([]);
});

test('a member ends a conversation at once, and begins the next one', async () => {
  const { page, faults, panel, button } = await visitAgent();
  for (let nth = 0; nth < 2; nth += 1) {
    await beginByMicrophone(panel);
    // The page is busy for a while, as no conversation should be that is listened to.
    if (nth === 0) expect(await accessibilityFaults(page)).toEqual([]);
    await panel.getByRole('button', { name: 'End conversation' }).click();
    await panel.getByText('You ended the conversation.').waitFor();
    await button.waitFor();
  }
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(faults).toEqual([]);
});

test('a connection that is lost for good ends the conversation, and the page says so', async () => {
  const { page, faults, panel, button } = await visitAgent();
  let connections = 0;
  await page.routeWebSocket(/\/sound$/, (socket) => {
    connections += 1;
    void socket.close({ code: 4003 });
  });
  await button.click();
  await panel.getByText('The connection to the service was lost').waitFor();
  await panel.getByText('You ended the conversation.').waitFor();
  expect(connections).toBeGreaterThan(5);
  expect(faults).toEqual([]);
});

test('a third try at once is refused with the limit of the account', async () => {
  const { context, page, faults, expectStatus, account, agent, panel, button } = await visitAgent();
  for (let nth = 0; nth < 2; nth += 1) {
    const begin = async () =>
      context.request.post(`/api/dashboard/accounts/${account.id}/agents/${agent.id}/try`, {
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        data: {},
      });
    await expect.poll(async () => (await begin()).status()).toBe(201);
  }
  expectStatus(429);
  await button.click();
  await panel.getByText('The account has reached its limit of 2 open tries.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test.each([
  ['denies the microphone', 'NotAllowedError', 'The microphone is not allowed'],
  ['has no microphone', 'NotFoundError', 'No microphone was found'],
  ['came over plain HTTP', null, 'The microphone needs HTTPS'],
] as const)('a page that %s begins no try, says why, and text still works', async (_, error, words) => {
  const { page, faults, panel, button } = await visitAgent();
  const begun: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') begun.push(request.url());
  });
  await page.evaluate((name) => {
    const getUserMedia = () => Promise.reject(new DOMException('from the browser', name ?? ''));
    if (name === null) Reflect.deleteProperty(Navigator.prototype, 'mediaDevices');
    else Object.assign(navigator.mediaDevices, { getUserMedia });
  }, error);
  await button.click();
  await panel.getByText(words).waitFor();
  expect(begun).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Start conversation' }).click();
  await panel.getByRole('log').getByText('Good morning, this is the dental practice.').waitFor();
  expect(await panel.getByRole('alert').count()).toBe(0);
  await panel.getByRole('button', { name: 'End conversation' }).click();
  await panel.getByText('You ended the conversation.').waitFor();
  expect(faults).toEqual([]);
});
