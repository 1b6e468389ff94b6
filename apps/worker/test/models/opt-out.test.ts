import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAMILIES } from './conducted-agent.ts';
import { openModelNetwork, type Conducted } from './model-network.ts';
import { callee, GENERATED, OPENING, reads, type Scenario } from './scenario.ts';

/** In real time. */
const LIMIT_MS = 300_000;
const SAID = 'Please stop calling me. Take me off your list.';
const CONFIRMATION = 'You will not be called again. Goodbye.';
const REASON = 'The callee wants no more calls.';

const SCRIPT = {
  opening: { say: GENERATED },
  rules: [{ when: /stop calling/, tool: { name: 'opt_out', arguments: { reason: REASON } } }],
  otherwise: { say: 'May I tell you about your appointment?' },
};
/** Conducted twice, and first: a number that has opted out is called once. */
const FIRST: Scenario = { family: 'realtime', persona: 'impatient', script: SCRIPT };
const BY_WORDS: readonly Scenario[] = FAMILIES.map((family) => ({ family, persona: 'objects', script: SCRIPT }));
const BY_KEY: readonly Scenario[] = FAMILIES.map((family) => ({
  family,
  persona: 'opts_out',
  script: SCRIPT,
  settings: { opt_out: { key: '9' } },
}));

let network: Awaited<ReturnType<typeof openModelNetwork<Scenario>>>;
let conducted: readonly Conducted<Scenario>[] = [];
beforeAll(async () => {
  network = await openModelNetwork([FIRST, ...BY_WORDS, ...BY_KEY]);
  conducted = await network.conductAll();
}, LIMIT_MS);
afterAll(() => network.close());

function outcomeOf(scenario: Scenario): Conducted<Scenario> {
  const outcome = conducted.find((one) => one.scenario === scenario);
  invariant(outcome, 'every scenario was conducted');
  return outcome;
}

/** The call has ended for its opt-out, was billed, and put the number on the list. */
async function expectOptOut({ call, events }: Conducted<Scenario>, data: object): Promise<void> {
  expect(call).toMatchObject({ endedReason: 'opted_out', answeredBy: 'human' });
  expect(call.costMicros).toBeGreaterThan(0n);
  expect(call.transcript?.findLast(({ role }) => role === 'agent')).toMatchObject({
    text: CONFIRMATION,
    source: 'script',
    interrupted: false,
  });
  expect(events.filter(({ type }) => type === 'opted_out').map((event) => event.data)).toEqual([data]);
  const types = events.map(({ type }) => type);
  expect(types.indexOf('opted_out')).toBeLessThan(types.indexOf('ended'));
  const { stage } = network;
  const listed = await stage.database.side.$queryRaw<object[]>`
    SELECT kind, source, number::text AS number FROM suppressions WHERE call_id = ${call.id}::uuid`;
  expect(listed).toEqual([{ kind: 'opt_out', source: 'call', number: call.calleeNumber.slice(1) }]);
  await expect(stage.place(call.calleeNumber)).rejects.toThrow('suppressed');
}

test.each(BY_WORDS)('$family: a callee who asks not to be called again is called no more', async (scenario) => {
  const outcome = outcomeOf(scenario);
  await expectOptOut(outcome, { evidence: 'tool', note: REASON });
  const turns = outcome.call.transcript?.map(({ role, text, source }) => [role, text, source]) ?? [];
  for (const turn of [reads(OPENING), callee(SAID)]) expect(turns).toContainEqual(turn);
});

test.each(BY_KEY)('$family: a callee who presses the key is called no more', async (scenario) => {
  await expectOptOut(outcomeOf(scenario), { evidence: 'key' });
});
