import { afterAll, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { QUICK_LEASES } from '../quick-timings.ts';
import { openModelNetwork } from './model-network.ts';
import { GENERATED, type Scenario } from './scenario.ts';

/** A lease, a sweep, and the uptime that Postgres needs before a take-over. */
const LIMIT_MS = 300_000;

const scenarioTo = (nth: number, introduction: string): Scenario => ({
  family: 'realtime',
  persona: 'friendly',
  script: {
    opening: { say: GENERATED },
    // Whatever the callee says: on a busy machine it is not always understood.
    rules: [{ when: /./, tool: { name: 'transfer', arguments: { destination: 'Reception' } } }],
    otherwise: { say: 'May I connect you?' },
  },
  settings: {
    tools: [
      {
        type: 'transfer_call',
        mode: 'warm',
        name: 'transfer',
        description: 'Connects the callee with a colleague.',
        destinations: [
          { name: 'Reception', to_number: `+120255501${nth}`, description: 'The callee has a question.', introduction },
        ],
      },
    ],
  },
});

const SHORT = 'A caller for you.';
const LONG = `${SHORT} ${'It is about an appointment that was made for the end of the month. '.repeat(5)}`.trim();
const idle = { ...scenarioTo(0, SHORT) };
const SLOW: Scenario = { ...idle, persona: 'slow' };
const ANSWERS: Scenario = { ...idle };
const TALKS: Scenario = { ...idle };
const RINGING = scenarioTo(10, SHORT);
const INTRODUCING = scenarioTo(11, LONG);
const CONNECTED = scenarioTo(12, SHORT);
/** Their numbers end in 00, 01 and so on: destinations begin at 10. */
const FILL = Array.from({ length: 7 }, () => ({ ...idle }));
const ALL = [RINGING, INTRODUCING, CONNECTED, ...FILL, SLOW, ANSWERS, TALKS];

let network: Awaited<ReturnType<typeof openModelNetwork<Scenario>>>;
beforeAll(async () => {
  network = await openModelNetwork(ALL, { timings: QUICK_LEASES });
}, LIMIT_MS);
afterAll(() => network.close());

const hasSeen = async (destination: Scenario, event: string) =>
  (await network.seenByCallee(destination)).some((line) => line.event === event);
async function isConnected(): Promise<boolean> {
  const [row] = await network.stage.database.side.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM transfer_legs WHERE connected_at IS NOT NULL AND settled_at IS NULL`;
  return row?.count === 1;
}

test.each([
  ['rings', RINGING, SLOW, () => hasSeen(SLOW, 'ringing')],
  ['hears the introduction', INTRODUCING, ANSWERS, () => hasSeen(ANSWERS, 'answered')],
  ['talks to the callee', CONNECTED, TALKS, isConnected],
] as const)(
  'a worker is killed while the destination %s: it was dialed once, both legs are hung up, and the call is charged once',
  { timeout: LIMIT_MS },
  async (_, scenario, destination, happens) => {
    const { stage } = network;
    const callId = await network.begin(scenario);
    await expect.poll(happens, { timeout: 60_000, interval: 50 }).toBe(true);
    await network.replaceWorker();
    const call = await stage.untilEnded(callId);
    expect(call.endedReason).toBe('worker_lost');
    const [leg, ...others] = call.legs ?? [];
    expect(others).toEqual([]);
    expect(leg?.result).toBe('lost');
    expect(call.costMicros).toBeGreaterThan(leg?.costMicros ?? 0n);
    for (const called of [scenario, destination]) {
      const seen = (await network.seenByCallee(called)).filter(({ event }) => event === 'invite' || event === 'ended');
      expect(seen).toMatchObject([{ event: 'invite' }, { event: 'ended', by: 'caller' }]);
    }
    await expect.poll(() => audit(stage), { timeout: 20_000 }).toEqual(AT_REST);
  },
);
