import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAMILIES } from './conducted-agent.ts';
import { openModelNetwork, type Conducted } from './model-network.ts';
import { GENERATED, OPENING, reads, type Scenario } from './scenario.ts';

/** In real time. */
const LIMIT_MS = 300_000;
const MESSAGE = 'One moment, I will connect you.';
const SORRY = 'I am sorry, nobody could be reached. Goodbye.';
/** Of the first scenario, which answers. */
const ANSWERS = '+12025550100';
const NOT_IN_SERVICE = '+12025550188';

const scriptWith = (destination: string) => ({
  opening: { say: GENERATED },
  rules: [
    { when: /not transferred/, say: SORRY, tool: { name: 'end_call', arguments: { reason: 'done' } } },
    { when: /speaking/, tool: { name: 'transfer', arguments: { destination } } },
  ],
  otherwise: { say: 'May I connect you?' },
});
const settingsTo = (number: string, texts: { readonly message?: string } = {}) => ({
  settings: {
    tools: [
      {
        type: 'transfer_call',
        name: 'transfer',
        description: 'Connects the callee with a colleague.',
        destinations: [{ name: 'Reception', to_number: number, description: 'The callee has a question.', ...texts }],
      },
    ],
  },
});

const FIRST: Scenario = { family: 'realtime', persona: 'impatient', script: scriptWith('Reception') };
const scenariosTo = (number: string, { persona = 'friendly', texts = {} } = {}): readonly Scenario[] =>
  FAMILIES.map((family) => ({ family, persona, script: scriptWith('Reception'), ...settingsTo(number, texts) }));
const ANSWERED = scenariosTo(ANSWERS, { texts: { message: MESSAGE } });
const UNASSIGNED = scenariosTo(NOT_IN_SERVICE);
const REFUSED = scenariosTo(ANSWERS, { persona: 'forbids_transfer' });

let network: Awaited<ReturnType<typeof openModelNetwork<Scenario>>>;
let conducted: readonly Conducted<Scenario>[] = [];
beforeAll(async () => {
  network = await openModelNetwork([FIRST, ...ANSWERED, ...UNASSIGNED, ...REFUSED]);
  conducted = await network.conductAll();
}, LIMIT_MS);
afterAll(() => network.close());

function outcomeOf(scenario: Scenario): Conducted<Scenario> {
  const outcome = conducted.find((one) => one.scenario === scenario);
  invariant(outcome, 'every scenario was conducted');
  return outcome;
}
const turnsOf = ({ call }: Conducted<Scenario>) =>
  call.transcript?.map(({ role, text, source }) => [role, text, source]);
const transfersOf = ({ events }: Conducted<Scenario>) =>
  events.filter(({ type }) => type === 'transfer').map(({ data }) => data);

describe.each(FAMILIES)('%s: a model that transfers its callee', (family) => {
  const of = (scenarios: readonly Scenario[]) => {
    const scenario = scenarios.find((one) => one.family === family);
    invariant(scenario, 'every family has one');
    return outcomeOf(scenario);
  };

  test('says the message, and the call ends transferred and billed once the destination has answered', () => {
    const outcome = of(ANSWERED);
    expect(outcome.call).toMatchObject({ endedReason: 'transferred', answeredBy: 'human' });
    expect(outcome.call.costMicros).toBeGreaterThan(0n);
    const turns = turnsOf(outcome);
    for (const turn of [reads(OPENING), reads(MESSAGE)]) expect(turns).toContainEqual(turn);
    expect(transfersOf(outcome)).toEqual([
      { destination: 'Reception', state: 'started' },
      { destination: 'Reception', state: 'succeeded', sip_code: 200 },
    ]);
  });

  test('learns that the destination cannot be reached, and goes on', () => {
    const outcome = of(UNASSIGNED);
    expect(outcome.call.endedReason).toBe('agent_hangup');
    expect(turnsOf(outcome)).toContainEqual(['agent', SORRY, 'model']);
    expect(transfersOf(outcome).at(-1)).toEqual({
      destination: 'Reception',
      state: 'failed',
      failure: 'failed',
      sip_code: 404,
    });
  });

  test('learns that the network transfers nothing, and goes on', () => {
    const outcome = of(REFUSED);
    expect(outcome.call.endedReason).toBe('agent_hangup');
    expect(transfersOf(outcome).at(-1)).toMatchObject({ state: 'failed', failure: 'refused', sip_code: 405 });
  });
});
