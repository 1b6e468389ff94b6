import { itemize, priceUsage } from '@outdial/calls';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONVERSATIONS } from './conversations.ts';
import { openModelNetwork, type Conducted } from './model-network.ts';
import { expectedTurnsIn, type WholeCall } from './scenario.ts';

/** In real time. */
const LIMIT_MS = 400_000;
const CALLS: readonly WholeCall[] = CONVERSATIONS.filter(({ family }) => family === 'cascade').map((scenario) => ({
  ...scenario,
  isLocal: true,
}));
let conducted: readonly Conducted<WholeCall>[] = [];
let network: Awaited<ReturnType<typeof openModelNetwork<WholeCall>>>;

beforeAll(async () => {
  network = await openModelNetwork(CALLS);
  conducted = await network.conductAll();
}, LIMIT_MS);
afterAll(() => network.close());

function outcomeOf(scenario: WholeCall): Conducted<WholeCall> {
  const outcome = conducted.find((one) => one.scenario === scenario);
  invariant(outcome, 'every scenario was conducted');
  return outcome;
}

const ofPersona = (persona: string) => CALLS.filter((scenario) => scenario.persona === persona);
const turnsOf = (scenario: WholeCall, role: 'agent' | 'callee') =>
  (outcomeOf(scenario).call.transcript ?? []).filter((turn) => turn.role === role);

test.each(CALLS)('on a local server: $name', (scenario) => {
  const { call } = outcomeOf(scenario);
  const { reason, answeredBy, turns = [] } = scenario.expected;
  expect(call).toMatchObject({ endedReason: reason ?? call.endedReason, answeredBy });
  expect(expectedTurnsIn(scenario, call.transcript ?? [])).toEqual(turns);
});

test.each(ofPersona('interjects'))('no word of the agent is lost in a false alarm', (scenario) => {
  expect(turnsOf(scenario, 'agent')[0]?.interrupted).toBe(false);
});

test.each(ofPersona('talks_over'))('an answer that the callee cuts has the words that were heard', (scenario) => {
  const cut = turnsOf(scenario, 'agent').find(({ interrupted }) => interrupted);
  expect(cut?.text).toMatch(/^\w+/);
});

test.each(ofPersona('voicemail'))('the message follows the beep, and sounds', async (scenario) => {
  const { agent, callee } = await outcomeOf(scenario).recording();
  const [message] = turnsOf(scenario, 'agent');
  invariant(message, 'a message was left');
  expect(callee.toneMs(1_000)).toBeGreaterThanOrEqual(200);
  expect(agent.level(0, message.start_ms - 100)).toBe(0);
  expect(agent.level(message.start_ms, message.end_ms)).toBeGreaterThan(100);
});

// The first call is made twice.
test.each(ofPersona('holds'))('without a rate the models cost nothing, and what they did is shown', (scenario) => {
  const { call, ledger } = outcomeOf(scenario);
  const { conducted: models } = call;
  invariant(models, 'models conducted the call');
  expect(models.rates).toEqual([]);
  const items = itemize(call.rate, call, priceUsage(models, call.usage));
  const ofModels = items.filter((item) => 'provider' in item);
  expect(new Set(ofModels.map(({ product }) => product))).toEqual(new Set(['stt', 'llm', 'tts']));
  expect(ofModels.map(({ costMicros }) => costMicros)).toEqual(ofModels.map(() => 0n));
  expect(items.reduce((sum, { costMicros }) => sum + costMicros, 0n)).toBe(call.costMicros);
  const used = (component: string) => call.usage.find((entry) => entry.component === component);
  expect(used('stt')).toMatchObject({ provider: 'local', model: 'whisper', unit: 'second' });
  expect(used('stt')?.quantity).toBeCloseTo(ledger.total({ component: 'stt' }), 6);
  expect(used('tts')?.quantity).toBe(ledger.total({ component: 'tts' }));
});

test.each(ofPersona('friendly'))('each answer has the parts of its delay', (scenario) => {
  const delays = outcomeOf(scenario).call.turnMetrics.flatMap((turn) => turn.delays ?? []);
  expect(delays.length).toBeGreaterThan(0);
  // The answer to a tool follows no turn.
  const endpointing = delays.flatMap(({ endpointingMs }) => endpointingMs ?? []);
  expect(endpointing.length).toBeGreaterThan(0);
  for (const ms of endpointing) expect(ms).toBeGreaterThanOrEqual(500);
});
