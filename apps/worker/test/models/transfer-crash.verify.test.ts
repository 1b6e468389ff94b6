import { afterAll, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { QUICK_LEASES } from '../quick-timings.ts';
import { openModelNetwork } from './model-network.ts';
import { GENERATED, type Scenario } from './scenario.ts';

/** A lease, a sweep, and the uptime that Postgres needs before a take-over. */
const LIMIT_MS = 300_000;

const PENDING: Scenario = {
  family: 'realtime',
  // Its network accepts the REFER, and never reports.
  persona: 'ignores_transfer',
  script: {
    opening: { say: GENERATED },
    rules: [{ when: /speaking/, tool: { name: 'transfer', arguments: { destination: 'Reception' } } }],
    otherwise: { say: 'May I connect you?' },
  },
  settings: {
    tools: [
      {
        type: 'transfer_call',
        name: 'transfer',
        description: 'Connects the callee with a colleague.',
        destinations: [{ name: 'Reception', to_number: '+12025550142', description: 'The callee has a question.' }],
      },
    ],
  },
};

let network: Awaited<ReturnType<typeof openModelNetwork<Scenario>>>;
beforeAll(async () => {
  network = await openModelNetwork([PENDING], { timings: QUICK_LEASES });
}, LIMIT_MS);
afterAll(() => network.close());

test(
  'a worker is killed during a transfer: the far end is asked once, our leg is hung up, and the call is charged once',
  { timeout: LIMIT_MS },
  async () => {
    const { stage } = network;
    const callId = await network.begin(PENDING);
    const isReferred = async () => (await network.seenByCallee(PENDING)).some(({ event }) => event === 'refer');
    await expect.poll(isReferred, { timeout: 60_000 }).toBe(true);
    await network.replaceWorker();
    const call = await stage.untilEnded(callId);
    expect(call.endedReason).toBe('worker_lost');
    expect(call.costMicros).toBeGreaterThan(0n);
    const seen = await network.seenByCallee(PENDING);
    expect(seen.map(({ event }) => event)).toEqual(['invite', 'ringing', 'answered', 'refer', 'ended']);
    expect(seen.at(-1)).toMatchObject({ by: 'caller', detail: 'BYE' });
    await expect.poll(() => audit(stage), { timeout: 20_000 }).toEqual(AT_REST);
  },
);
