import { agentSettingsSchema, micros } from '@outdial/contracts';
import { beforeAll, expect, test } from 'vitest';
import { withStage } from '../test/shared-stage.ts';
import { slotsTool } from '../test/slots-tool.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
let modelsUrl: string;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  modelsUrl = await stage.models();
});
const price = (unit: 'input_text_token' | 'output_text_token') => ({
  component: 'realtime' as const,
  provider: 'openai' as const,
  model: 'gpt-realtime',
  unit,
  priceMicrosPerMillion: micros(10_000_000),
  estimateMicrosPerMinute: micros(100_000),
});
beforeAll(async () => {
  const operator = stage.admin.credentialsOf(null);
  const name = 'tried in a browser';
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
  await stage.admin.modelRates.import({
    currency: 'USD',
    rates: [price('input_text_token'), price('output_text_token')],
  });
});

const settings = () =>
  agentSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You remind {{name}} of a visit.',
    first_message: 'Good morning {{name}}, this is the dental practice.',
    model: { provider: 'openai', model: 'gpt-realtime' },
    tools: [slotsTool(`${modelsUrl}/tools/free-slots`)],
  });

test('the editor suggests the models that the operator offers', async () => {
  const account = await stage.account();
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  await page.goto(`/accounts/${account.id}/agents/new?driver=realtime`);
  const model = page.getByRole('combobox', { name: 'Model' });
  await model.fill('gpt');
  await page.getByRole('option', { name: 'gpt-realtime', exact: true }).click();
  expect(await model.inputValue()).toBe('gpt-realtime');
  expect(faults).toEqual([]);
});

test.each([
  ['a wide window', { width: 1280, height: 900 }],
  ['a telephone', { width: 390, height: 844 }],
])(
  'in %s a member tries an agent with the keyboard, sees its tools and its cost, and finds the charge',
  async (_, viewport) => {
    const account = await stage.account();
    const agent = await stage.admin.agents.create({ accountId: account.id, settings: settings() });
    const { page, faults, beginSession, expectStatus } = await stage.visit({ viewport });
    // A busy machine may answer 503, and the page reads again.
    expectStatus(503);
    await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
    await page.goto(`/accounts/${account.id}/agents/${agent.id}`);
    const panel = page.getByRole('region', { name: 'Try the agent' });
    await panel.getByLabel('Value of name').fill('Zoë');
    await panel.getByLabel('Value of name').press('Enter');
    const log = panel.getByRole('log');
    await log.getByText('Good morning Zoë, this is the dental practice.').waitFor();

    const field = panel.getByLabel('What the callee says');
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type('Yes, speaking.');
    await page.keyboard.press('Enter');
    await log.getByText('Your appointment is tomorrow at ten in the morning. Does that suit you?').waitFor();
    await log.getByText('find_free_slots', { exact: true }).waitFor();
    await panel.getByText(/^Time left: [1-4]:\d\d$/).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);

    await page.keyboard.type('Goodbye.');
    await page.keyboard.press('Enter');
    await log.getByText(/^Would end the call/).waitFor();
    await log.getByText('The agent ended the conversation.').waitFor();
    await panel.getByText(/^Cost: \$0\.00\d+$/).waitFor();
    await panel.getByRole('button', { name: 'Start conversation' }).waitFor();

    await page.goto(`/accounts/${account.id}/wallet`);
    const row = page.getByRole('row', { name: /Try of an agent/ });
    await row.getByText('Appointment').waitFor();
    await row.getByText(/^−\$0\.00\d+$/).waitFor();
    expect(faults).toEqual([]);
  },
);

test('a text that the service did not take stands in the field again, and is sent with another Enter', async () => {
  const account = await stage.account();
  const agent = await stage.admin.agents.create({ accountId: account.id, settings: settings() });
  const { page, faults, beginSession, expectStatus } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await page.goto(`/accounts/${account.id}/agents/${agent.id}`);
  await page.getByLabel('Value of name').fill('Zoë');
  await page.getByLabel('Value of name').press('Enter');
  const log = page.getByRole('log');
  await log.getByText('Good morning Zoë, this is the dental practice.').waitFor();
  expectStatus(503);
  const error = { code: 'service_unavailable', message: 'Try again.', request_id: 'abc' };
  await page.route('**/messages', (route) => route.fulfill({ status: 503, json: { error } }), { times: 1 });
  await page.getByLabel('What the callee says').fill('Goodbye.');
  await page.keyboard.press('Enter');
  await page.getByText('Your text was not sent').waitFor();
  await expect.poll(() => page.getByLabel('What the callee says').inputValue()).toBe('Goodbye.');
  await page.keyboard.press('Enter');
  await log.getByText('The agent ended the conversation.').waitFor();
  expect(faults).toEqual([]);
});

test('a scripted agent says why it cannot be tried, and an unusable model why the try did not begin', async () => {
  const account = await stage.account();
  const unpriced = agentSettingsSchema.parse({
    ...settings(),
    first_message: 'Hello.',
    instructions: 'You call people.',
    model: { provider: 'openai', model: 'gpt-unpriced' },
  });
  const agent = await stage.admin.agents.create({ accountId: account.id, settings: unpriced });
  const { page, faults, beginSession, expectStatus } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  await page.goto(`/accounts/${account.id}/agents/${account.agentId}`);
  await page.getByText('so it cannot be tried here').waitFor();
  await page.goto(`/accounts/${account.id}/agents/${agent.id}`);
  expectStatus(422);
  await page.getByRole('button', { name: 'Start conversation' }).click();
  await page.getByText(/has no rate in USD/).waitFor();
  expect(faults).toEqual([]);
});
