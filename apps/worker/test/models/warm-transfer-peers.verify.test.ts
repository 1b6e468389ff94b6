import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { trunkOf } from '@outdial/calls/testing';
import { trunkNameSchema, type CallId } from '@outdial/contracts';
import { createAdministration } from '@outdial/persistence';
import { startKamailio, startSipp, type SippOptions } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { openModelNetwork } from './model-network.ts';
import { GENERATED, type Scenario } from './scenario.ts';

/** In real time, on a busy machine. */
const LIMIT_MS = 240_000;
const DESTINATION = '+12025550188';
const SORRY = 'I am sorry, nobody could be reached. Goodbye.';

const toReception = (): Scenario => ({
  family: 'realtime',
  persona: 'friendly',
  script: {
    opening: { say: GENERATED },
    rules: [
      { when: /not transferred/, say: SORRY, tool: { name: 'end_call', arguments: { reason: 'done' } } },
      // Whatever the callee says: on a busy machine it is not always understood.
      { when: /./, tool: { name: 'transfer', arguments: { destination: 'Reception' } } },
    ],
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
          {
            name: 'Reception',
            to_number: DESTINATION,
            description: 'The callee has a question.',
            introduction: 'A caller for you.',
          },
        ],
      },
    ],
  },
});
const [ANSWERED, MOVED, REJECTED, CANCELLED, LEFT, PROXIED] = Array.from({ length: 6 }, toReception);
const SCENARIOS = [ANSWERED, MOVED, REJECTED, CANCELLED, LEFT, PROXIED].flatMap((scenario) => scenario ?? []);

let network: Awaited<ReturnType<typeof openModelNetwork<Scenario>>>;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  // The callee has the only channel of their trunk, so the destination is called over the next trunk.
  network = await openModelNetwork(SCENARIOS, { channels: 1 });
}, LIMIT_MS);
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => network.close());

/** SIPp as the destination, on its own trunk: directly, or behind Kamailio. */
async function openDestination(options: Omit<SippOptions, 'transport'>, through: 'directly' | 'kamailio' = 'directly') {
  const sipp = await startSipp({ ...options, transport: 'udp', patienceSeconds: LIMIT_MS / 1_000 });
  closing.push(() => sipp.stop());
  let { port } = sipp;
  if (through === 'kamailio') {
    const kamailio = await startKamailio({ callee: `127.0.0.1:${sipp.port}` });
    closing.push(() => kamailio.stop());
    ({ port } = kamailio);
  }
  const { trunks } = createAdministration(network.stage.database, { actor: 'test' });
  const name = trunkNameSchema.parse(`destination-${port}`);
  const uri = `sip:127.0.0.1:${port}`;
  // SIPp would treat an OPTIONS as a call that went wrong.
  await trunks.add({ ...trunkOf({ name, uri, codecs: ['PCMU'], healthCheck: 'none' }), credentials: null });
  closing.push(() => trunks.remove(name));
  return sipp;
}

async function begin(scenario: Scenario | undefined): Promise<CallId> {
  if (scenario === undefined) throw new Error('there is a scenario for each test');
  return network.begin(scenario);
}

/** Ends the call once this holds of its second leg. */
async function endOnce(callId: CallId, holds: (leg: { isSent: boolean; isConnected: boolean }) => boolean) {
  const happens = async () => {
    const [leg] = await network.stage.database.side.$queryRaw<{ isSent: boolean; isConnected: boolean }[]>`
      SELECT dialog IS NOT NULL AS "isSent", connected_at IS NOT NULL AS "isConnected"
      FROM transfer_legs WHERE call_id = ${callId}::uuid`;
    return leg !== undefined && holds(leg);
  };
  await expect.poll(happens, { timeout: 60_000, interval: 50 }).toBe(true);
  await network.stage.end(callId);
}

/** When the callee and the destination were connected; null before. */
async function connectedAt(callId: CallId): Promise<Date | null> {
  const [leg] = await network.stage.database.side.$queryRaw<{ connectedAt: Date | null }[]>`
    SELECT connected_at AS "connectedAt" FROM transfer_legs WHERE call_id = ${callId}::uuid`;
  return leg?.connectedAt ?? null;
}

/** SIPp only ends successfully if each message arrived that its scenario has, in this order. */
const FOLLOWED = { code: 0, complaints: '' };
const atRest = () => expect.poll(() => audit(network.stage), { timeout: 20_000 }).toEqual(AT_REST);

test('SIPp answers, talks to the callee and is hung up: both legs are billed', { timeout: LIMIT_MS }, async () => {
  const sipp = await openDestination({ scenario: 'answers' });
  const callId = await begin(ANSWERED);
  await endOnce(callId, ({ isConnected }) => isConnected);
  const call = await network.stage.untilEnded(callId);
  expect(call.legs).toMatchObject([{ calleeNumber: DESTINATION, result: 'connected' }]);
  expect(call.legs?.[0]?.costMicros).toBeGreaterThan(0n);
  expect(call.costMicros).toBeGreaterThan(call.legs?.[0]?.costMicros ?? 0n);
  expect(await sipp.finished()).toEqual(FOLLOWED);
  await atRest();
});

test(
  'SIPp offers another port for its sound, as Asterisk does: the sound follows it there',
  { timeout: LIMIT_MS },
  async () => {
    const moved = createSocket('udp4').bind(0, '127.0.0.1');
    closing.push(async () => void moved.close());
    await once(moved, 'listening');
    const keys = { moved_port: String(moved.address().port) };
    const sipp = await openDestination({ scenario: 'moves_sound', keys });
    const callId = await begin(MOVED);
    // First the introduction goes there, then the callee.
    await once(moved, 'message');
    await expect.poll(() => connectedAt(callId), { timeout: 60_000, interval: 50 }).not.toBeNull();
    await once(moved, 'message');
    await network.stage.end(callId);
    const call = await network.stage.untilEnded(callId);
    expect(call.legs).toMatchObject([{ calleeNumber: DESTINATION, result: 'connected' }]);
    expect(await sipp.finished()).toEqual(FOLLOWED);
    await atRest();
  },
);

test('SIPp is busy: the callee hears so, and its leg costs nothing', { timeout: LIMIT_MS }, async () => {
  const sipp = await openDestination({ scenario: 'refuses', status: '486 Busy Here' });
  const call = await network.stage.untilEnded(await begin(REJECTED));
  expect(call).toMatchObject({ endedReason: 'agent_hangup', legs: [{ result: 'busy', sipCode: 486, costMicros: 0n }] });
  expect(call.transcript?.map(({ text }) => text)).toContain(SORRY);
  expect(await sipp.finished()).toEqual(FOLLOWED);
  await atRest();
});

test('SIPp rings when the call is ended: it gets a CANCEL, and costs nothing', { timeout: LIMIT_MS }, async () => {
  const sipp = await openDestination({ scenario: 'rings' });
  const callId = await begin(CANCELLED);
  await endOnce(callId, ({ isSent }) => isSent);
  expect(await network.stage.untilEnded(callId)).toMatchObject({
    endedReason: 'hung_up_by_api',
    legs: [{ result: 'cancelled', costMicros: 0n }],
  });
  expect(await sipp.finished()).toEqual(FOLLOWED);
  await atRest();
});

test('SIPp hangs up during the introduction: the agent goes on with the callee', { timeout: LIMIT_MS }, async () => {
  const sipp = await openDestination({ scenario: 'hangs_up' });
  const call = await network.stage.untilEnded(await begin(LEFT));
  expect(call).toMatchObject({ endedReason: 'agent_hangup', legs: [{ result: 'not_connected' }] });
  expect(call.legs?.[0]?.costMicros).toBeGreaterThan(0n);
  expect(call.transcript?.map(({ text }) => text)).toContain(SORRY);
  expect(await sipp.finished()).toEqual(FOLLOWED);
  await atRest();
});

test(
  'through Kamailio, SIPp talks to the callee and hangs up: the call ends transferred',
  { timeout: LIMIT_MS },
  async () => {
    const sipp = await openDestination({ scenario: 'hangs_up', talkMs: 6_000 }, 'kamailio');
    const call = await network.stage.untilEnded(await begin(PROXIED));
    expect(call).toMatchObject({ endedReason: 'transferred', legs: [{ result: 'connected' }] });
    expect(await sipp.finished()).toEqual(FOLLOWED);
    await atRest();
  },
);
