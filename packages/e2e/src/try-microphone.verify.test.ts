import { agentSettingsSchema, micros } from '@outdial/contracts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import { openMicrophoneBrowser, type MicrophoneBrowser } from '../test/microphone.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';
import { openVisit } from '../test/visit.ts';

/** Not localhost, and no HTTPS: browsers hide the microphone from its pages. */
const ELSEWHERE = 'outdial.test';
/** The pauses are long enough for the agent's answers, however late it hears. */
const HEARD = [
  { silenceMs: 6_000 },
  { text: 'Yes, speaking.' },
  { silenceMs: 9_000 },
  { text: 'Goodbye.' },
  { silenceMs: 3_000 },
];

let stage: Stage;
let microphone: MicrophoneBrowser;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});
beforeAll(async () => {
  microphone = await openMicrophoneBrowser(HEARD, [`--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`]);
  const price = { priceMicrosPerMillion: micros(10_000_000), estimateMicrosPerMinute: micros(1_000) };
  const operator = stage.admin.credentialsOf(null);
  const name = 'tried by microphone';
  const { credentials } = await operator.list();
  if (credentials.some((credential) => credential.name === name)) return;
  await operator.create({
    provider: 'openai',
    name,
    apiKey: 'sk-simulated-demo',
    baseUrl: `${await stage.models()}/v1`,
    region: null,
    secretKey: stage.secretKey,
  });
  const model = { provider: 'openai', model: '*' } as const;
  const rates = [
    { ...model, component: 'realtime' as const, unit: 'output_audio_token' as const, ...price },
    { ...model, component: 'realtime' as const, unit: 'input_audio_token' as const, ...price },
    { ...model, component: 'realtime' as const, unit: 'output_text_token' as const, ...price },
    { ...model, component: 'stt' as const, unit: 'second' as const, ...price },
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
  });

/** An owner on the page of an agent. */
async function visitAgent(open: (url: string) => ReturnType<typeof openVisit> = () => stage.visit(), isByForm = false) {
  const account = await stage.account();
  const agent = await stage.admin.agents.create({ accountId: account.id, settings: settings() });
  const visit = await open(stage.url);
  // A busy machine may answer 503, and the page reads again.
  visit.expectStatus(503);
  const owner = await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] });
  await (isByForm ? visit.signIn(owner) : visit.beginSession(owner));
  await visit.page.goto(`/accounts/${account.id}/agents/${agent.id}`);
  const panel = visit.page.getByRole('region', { name: 'Try the agent' });
  const button = panel.getByRole('button', { name: 'Try by microphone' });
  return { ...visit, account, agent, panel, button };
}
const withMicrophone = (url: string) => openVisit(microphone.browser, url);

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

test('a member talks with an agent until it hangs up, hears it, reads both sides, and finds the charge', async () => {
  const { page, faults, account, panel, button } = await visitAgent(withMicrophone);
  await button.focus();
  await page.keyboard.press('Enter');
  const log = panel.getByRole('log');
  await panel.getByText('The agent hears you. Speak as the callee.').waitFor();
  const end = panel.getByRole('button', { name: 'End conversation' });
  await expect.poll(() => end.evaluate((one) => one === document.activeElement)).toBe(true);
  const levels = await Promise.all([
    highestLevel(page, 'Level of your microphone'),
    highestLevel(page, 'Level of the agent'),
  ]);
  expect(Math.min(...levels)).toBeGreaterThan(20);
  expect(await accessibilityFaults(page)).toEqual([]);
  await log.getByText('Yes, speaking.').first().waitFor();
  await log.getByText('Goodbye.').first().waitFor();
  await log.getByText('The agent ended the conversation.').waitFor();
  await log.getByText('Good morning, this is the dental practice.').waitFor();
  await button.waitFor();
  expect(await panel.getByRole('progressbar').count()).toBe(0);
  expect(await panel.getByRole('alert').count()).toBe(0);

  await page.goto(`/accounts/${account.id}/wallet`);
  const row = page.getByRole('row', { name: /Try of an agent/ });
  await row.getByText('Appointment').waitFor();
  expect(await row.count()).toBe(1);
  expect(faults).toEqual([]);
});

test('a member ends a conversation, and begins the next one', async () => {
  const { page, faults, panel, button } = await visitAgent(withMicrophone);
  for (let nth = 0; nth < 2; nth += 1) {
    await button.click();
    await panel.getByText('The agent hears you. Speak as the callee.').waitFor();
    await panel.getByRole('button', { name: 'End conversation' }).click();
    await panel.getByText('You ended the conversation.').waitFor();
    await button.waitFor();
  }
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(faults).toEqual([]);
});

test('a connection that is lost for good ends the conversation, and the page says so', async () => {
  const { page, faults, panel, button } = await visitAgent(withMicrophone);
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
  const { context, page, faults, expectStatus, account, agent, panel, button } = await visitAgent(withMicrophone);
  for (let nth = 0; nth < 2; nth += 1) {
    const begun = await context.request.post(`/api/dashboard/accounts/${account.id}/agents/${agent.id}/try`, {
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      data: {},
    });
    expect(begun.status()).toBe(201);
  }
  expectStatus(429);
  await button.click();
  await panel.getByText('The account has reached its limit of 2 open tries.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('a browser that denies the microphone begins no try, and text still works', async () => {
  const { page, faults, panel, button } = await visitAgent();
  const begun: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') begun.push(request.url());
  });
  // The browser of these tests denies every page whatever it asks a person for.
  await button.click();
  await panel.getByText('The microphone is not allowed').waitFor();
  expect(begun).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Start conversation' }).click();
  await panel.getByRole('log').getByText('Good morning, this is the dental practice.').waitFor();
  expect(await panel.getByRole('alert').count()).toBe(0);
  await panel.getByRole('button', { name: 'End conversation' }).click();
  await panel.getByText('You ended the conversation.').waitFor();
  expect(faults).toEqual([]);
});

test('a machine without a microphone, and a page over plain HTTP, begin no try', async () => {
  const { page, faults, panel, button } = await visitAgent(withMicrophone);
  await page.evaluate(() => {
    const missing = new DOMException('Requested device not found', 'NotFoundError');
    navigator.mediaDevices.getUserMedia = () => Promise.reject(missing);
  });
  await button.click();
  await panel.getByText('No microphone was found').waitFor();
  expect(faults).toEqual([]);

  const elsewhere = (url: string) => openVisit(microphone.browser, url.replace('127.0.0.1', ELSEWHERE));
  const plain = await visitAgent(elsewhere, true);
  await plain.button.click();
  await plain.panel.getByText('The microphone needs HTTPS').waitFor();
  expect(await plain.panel.getByText('You ended the conversation.').count()).toBe(0);
});
