import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { FAMILIES } from './conducted-agent.ts';
import { openModelNetwork, type Conducted } from './model-network.ts';
import { GENERATED, type Scenario } from './scenario.ts';

/** In real time. */
const LIMIT_MS = 300_000;
const INTRODUCTION = 'A caller for you.';
const SUMMARY = 'It is Anna.';
const SORRY = 'I am sorry, nobody could be reached. Goodbye.';
/** Of the first scenario: it answers, and hangs up three seconds later. */
const ANSWERS = '+12025550100';
const NOT_IN_SERVICE = '+12025550188';

const SCRIPT = {
  opening: { say: GENERATED },
  rules: [
    { when: /not transferred/, say: SORRY, tool: { name: 'end_call', arguments: { reason: 'done' } } },
    { when: /speaking/, tool: { name: 'transfer', arguments: { destination: 'Reception', summary: SUMMARY } } },
  ],
  otherwise: { say: 'May I connect you?' },
};
const settingsTo = (number: string) => ({
  settings: {
    tools: [
      {
        type: 'transfer_call',
        mode: 'warm',
        name: 'transfer',
        description: 'Connects the callee with a colleague.',
        destinations: [
          {
            name: 'Reception',
            to_number: number,
            description: 'The callee has a question.',
            introduction: INTRODUCTION,
          },
        ],
      },
    ],
  },
});

const FIRST: Scenario = { family: 'realtime', persona: 'impatient', script: SCRIPT, ...settingsTo(NOT_IN_SERVICE) };
const scenariosTo = (number: string): readonly Scenario[] =>
  FAMILIES.map((family) => ({ family, persona: 'friendly', script: SCRIPT, ...settingsTo(number) }));
const ANSWERED = scenariosTo(ANSWERS);
const UNASSIGNED = scenariosTo(NOT_IN_SERVICE);

let network: Awaited<ReturnType<typeof openModelNetwork<Scenario>>>;
let conducted: readonly Conducted<Scenario>[] = [];
beforeAll(async () => {
  network = await openModelNetwork([FIRST, ...ANSWERED, ...UNASSIGNED]);
  conducted = await network.conductAll();
}, LIMIT_MS);
afterAll(() => network.close());

const transfersOf = ({ events }: Conducted<Scenario>) =>
  events.filter(({ type }) => type === 'transfer').map(({ data }) => data);

describe.each(FAMILIES)('%s: a model that transfers its callee warm', (family) => {
  const of = (scenarios: readonly Scenario[]) => {
    const outcome = conducted.find(({ scenario }) => scenario.family === family && scenarios.includes(scenario));
    invariant(outcome, 'every family has one');
    return outcome;
  };

  test('introduces the callee to who answers, connects both and leaves; both legs are billed', () => {
    const { call, ...outcome } = of(ANSWERED);
    expect(call).toMatchObject({
      endedReason: 'transferred',
      legs: [{ destination: 'Reception', calleeNumber: ANSWERS, result: 'connected' }],
    });
    const [leg] = call.legs ?? [];
    expect(leg?.costMicros).toBeGreaterThan(0n);
    expect(call.costMicros).toBeGreaterThan(leg?.costMicros ?? 0n);
    const said = call.transcript?.map(({ text }) => text);
    expect(said).toContainEqual(expect.stringContaining(INTRODUCTION));
    expect(said).toContainEqual(expect.stringContaining(SUMMARY));
    expect(transfersOf({ call, ...outcome })).toEqual([
      { destination: 'Reception', mode: 'warm', state: 'started' },
      { destination: 'Reception', mode: 'warm', state: 'succeeded' },
    ]);
  });

  test('learns that the destination cannot be reached, and goes on', () => {
    const outcome = of(UNASSIGNED);
    expect(outcome.call).toMatchObject({
      endedReason: 'agent_hangup',
      legs: [{ result: 'unreachable', sipCode: 404, costMicros: 0n, answeredAtMs: null }],
    });
    expect(outcome.call.transcript?.map(({ text }) => text)).toContain(SORRY);
    expect(transfersOf(outcome).at(-1)).toMatchObject({ state: 'failed', failure: 'failed', sip_code: 404 });
  });
});

test('nothing is left of the second legs', async () => {
  await expect.poll(() => audit(network.stage), { timeout: 20_000 }).toEqual(AT_REST);
});
