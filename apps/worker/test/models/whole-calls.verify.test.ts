import { SIMULATED_NUMBERS } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { UNRECOGNISED } from '@outdial/simulated-providers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REALTIME_PROVIDERS } from './conducted-agent.ts';
import { CONVERSATIONS } from './conversations.ts';
import { FAILURES } from './failures.ts';
import { openModelNetwork, UNITS, type Conducted } from './model-network.ts';
import { msBesideSound } from './turns-beside-sound.ts';
import { expectedTurnsIn, type WholeCall } from './scenario.ts';

/** In real time. */
const LIMIT_MS = 900_000;
const CALLS_AT_ONCE = 6;
const MICROS_A_SECOND = 200;
const CONNECTION_MICROS = 1_000;
/** Of the recording. What the agent says ends softly, and nothing else is in its channel. */
const LEVELS = { agent: { soft: 10, loud: 100 }, callee: { soft: 100, loud: 300 } };
const BESIDE_MS = 60;
const FEW = 0.05;
const CALLS = [...CONVERSATIONS, ...FAILURES];
let conducted: readonly Conducted<WholeCall>[] = [];
let network: Awaited<ReturnType<typeof openModelNetwork<WholeCall>>>;

beforeAll(async () => {
  network = await openModelNetwork(CALLS, { callsAtOnce: CALLS_AT_ONCE });
  conducted = await network.conductAll();
}, LIMIT_MS);
/** No slot, line, cent or connection to a provider is left. */
afterAll(() => network.close());

function outcomeOf(scenario: WholeCall): Conducted<WholeCall> {
  const outcome = conducted.find((one) => one.scenario === scenario);
  invariant(outcome, 'every scenario was conducted');
  return outcome;
}

const ANSWERED = CONVERSATIONS.filter(({ expected: { answeredBy } }) => answeredBy !== null);
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

test('every test number is called by each of both families, and by each provider', () => {
  const called = new Set(
    CONVERSATIONS.map(({ family, provider = 'openai', persona }) => [family, provider, persona].join()),
  );
  const conductors = [['cascade', 'openai'], ...REALTIME_PROVIDERS.map((provider) => ['realtime', provider])];
  const numbers = SIMULATED_NUMBERS.flatMap(({ persona }) => conductors.map((by) => [...by, persona].join()));
  expect(numbers.filter((number) => !called.has(number))).toEqual([]);
});

test.each(CALLS)('$family, $name: costs its connection, every started second, and what its models used', (scenario) => {
  const { call } = outcomeOf(scenario);
  if (call.answeredAtMs === null) {
    expect(call).toMatchObject({ billableSeconds: 0, costMicros: 0n, transcript: null, recordingStatus: 'none' });
    return;
  }
  expect(call.billableSeconds).toBe(Math.ceil((call.endedAtMs - call.answeredAtMs) / 1_000));
  const priced = call.usage.filter(({ component, unit, provider }) =>
    UNITS.some(
      ([of, named, providers = ['openai', 'elevenlabs']]) =>
        of === component && named === unit && providers.includes(provider),
    ),
  );
  const used = priced.reduce((sum, { quantity }) => sum + Math.ceil(quantity), 0);
  expect(Number(call.costMicros)).toBe(CONNECTION_MICROS + call.billableSeconds * MICROS_A_SECOND + used);
});

test.each(ofPersona('interjects'))('$family, $name: no word of the agent is lost in a false alarm', (scenario) => {
  expect(turnsOf(scenario, 'agent')[0]?.interrupted).toBe(false);
});

test.each(ANSWERED)('$family, $name: what was used up to the last words is counted', (scenario) => {
  const { call, ledger } = outcomeOf(scenario);
  const billed = ledger.totals().reduce((sum, { quantity }) => sum + quantity, 0);
  // A connection of which the time is billed begins and ends at different moments on both sides.
  const precision = scenario.provider === 'xai' || scenario.provider === 'openai_live' ? -1 : 0;
  expect(call.usage.reduce((sum, { quantity }) => sum + quantity, 0)).toBeCloseTo(billed, precision);
});

/** A voicemail beeps after its words, and a telephone that is put on hold cuts off its own. */
const ENDS_OTHERWISE = new Set(['voicemail', 'holds']);

test.each(['agent', 'callee'] as const)('each turn of the %s is where its sound is in the recording', async (role) => {
  const beside = await Promise.all(
    ANSWERED.filter(({ persona }) => role === 'agent' || !ENDS_OTHERWISE.has(persona)).map(async (scenario) => {
      const recording = await outcomeOf(scenario).recording();
      const turns = turnsOf(scenario, role).filter(({ source }) => source !== 'dtmf');
      const beside = msBesideSound(turns, recording[role], LEVELS[role]).filter(({ text }) => text !== UNRECOGNISED);
      return beside.map((turn) => ({ name: scenario.name, ...turn }));
    }),
  );
  const all = beside.flat();
  expect(all.length).toBeGreaterThan(ANSWERED.length);
  const wrong = all.filter(({ besideMs }) => besideMs > BESIDE_MS);
  // A busy machine loses packets at the edge of a word. What was cut off before its first word sounds, and is no turn.
  expect(wrong.length > all.length * FEW ? wrong : []).toEqual([]);
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
