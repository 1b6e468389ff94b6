import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONVERSATIONS } from './conversations.ts';
import { FAILURES } from './failures.ts';
import { openModelNetwork, type Conducted } from './model-network.ts';
import { expectedTurnsIn, type WholeCall } from './scenario.ts';

/** In real time. */
const LIMIT_MS = 900_000;
const CALLS = [...CONVERSATIONS, ...FAILURES];
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

const ofPersona = (persona: string) => CONVERSATIONS.filter((scenario) => scenario.persona === persona);
const turnsOf = (scenario: WholeCall, role: 'agent' | 'callee') =>
  (outcomeOf(scenario).call.transcript ?? []).filter((turn) => turn.role === role);
const eventsOf = (scenario: WholeCall, type: string) =>
  outcomeOf(scenario)
    .events.filter((event) => event.type === type)
    .map(({ data }) => data);

test.each(CALLS)('$family: $name', (scenario) => {
  const { call } = outcomeOf(scenario);
  const { reason, answeredBy, turns = [] } = scenario.expected;
  expect(call).toMatchObject({ endedReason: reason ?? call.endedReason, answeredBy });
  expect(expectedTurnsIn(scenario, call.transcript ?? [])).toEqual(turns);
});

test.each(ofPersona('interjects'))('$family, $name: no word of the agent is lost in a false alarm', (scenario) => {
  expect(turnsOf(scenario, 'agent')[0]?.interrupted).toBe(false);
});

test.each(ofPersona('interjects'))('$family, $name: what was used up to the last words is counted', (scenario) => {
  const { call, ledger } = outcomeOf(scenario);
  const billed = ledger.totals().reduce((sum, { quantity }) => sum + quantity, 0);
  // A connection of which the time is billed begins and ends at different moments on both sides.
  const precision = scenario.provider === 'xai' || scenario.provider === 'openai_live' ? -1 : 0;
  expect(call.usage.reduce((sum, { quantity }) => sum + quantity, 0)).toBeCloseTo(billed, precision);
});

test.each(ofPersona('voicemail'))('$family, $name: the message follows the beep', async (scenario) => {
  const { agent, callee: side } = await outcomeOf(scenario).recording();
  const [message] = turnsOf(scenario, 'agent');
  invariant(message, 'a message was left');
  expect(side.toneMs(1_000)).toBeGreaterThanOrEqual(200);
  expect(side.level(message.start_ms + 200)).toBeLessThan(20);
  expect(agent.level(0, message.start_ms - 100)).toBe(0);
});

test.each(ofPersona('menu').filter(({ expected }) => expected.answeredBy === 'ivr'))(
  '$family, $name: the menu gets its digit',
  (scenario) => expect(outcomeOf(scenario).call.summary).toContain('The agent pressed 1'),
);

test.each(ofPersona('talks_over'))(
  '$family, $name: an answer that the callee cuts has the words that were heard',
  (scenario) => {
    const cut = turnsOf(scenario, 'agent').find(({ interrupted }) => interrupted);
    expect(cut?.text).toMatch(/^\w+/);
  },
);

test.each(ofPersona('holds'))('$family, $name: the agent is silent while the callee is away', (scenario) => {
  const [away, back] = ['One moment, please.', 'I am back. Please go on.'].map((text) =>
    turnsOf(scenario, 'callee').find((turn) => turn.text === text),
  );
  // A busy machine may garble either.
  if (away === undefined || back === undefined) return;
  const between = turnsOf(scenario, 'agent').filter(
    (turn) => turn.end_ms > away.end_ms && turn.start_ms < back.start_ms,
  );
  expect(between).toEqual([]);
});

test('what failed and what took its place stands in the timeline', () => {
  const [ears, voice, , tools] = FAILURES;
  invariant(ears && voice && tools, 'the failures are in their order');
  for (const [scenario, component] of [
    [ears, 'stt'],
    [voice, 'tts'],
  ] as const) {
    expect(eventsOf(scenario, 'provider_failed')).toContainEqual(expect.objectContaining({ component }));
    expect(eventsOf(scenario, 'provider_recovered')).toContainEqual(expect.objectContaining({ component }));
  }
  const called = eventsOf(tools, 'tool_called');
  const refusal = { name: 'broken', outcome: 'ok', result: expect.stringContaining('HTTP 503') };
  for (const expected of [refusal, { name: 'hangs', outcome: 'failed' }]) {
    expect(called).toContainEqual(expect.objectContaining(expected));
  }
});
