import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Trunk } from '@outdial/calls';
import { MemoryTrunkEvidence, trunkOf } from '@outdial/calls/testing';
import { accountIdSchema, callIdSchema, e164Schema } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { sessionEnd, type OptionsOutcome, type OptionsRequest, type SessionEnd } from '@outdial/sip';
import { ManualClock } from '@outdial/testkit/async';
import { expect, test } from 'vitest';
import type { MonitoredCall } from './session-evidence.ts';
import { createTrunkMonitor, type TrunkMonitorOptions } from './trunk-monitor.ts';

const main = trunkOf({ name: 'main', outboundProxy: 'sip:proxy.example' });
const off = trunkOf({ name: 'off', enabled: false });
const ALIVE: OptionsOutcome = { kind: 'answered', sipCode: 404, roundTripMs: 5 };

type Parts = Partial<Pick<TrunkMonitorOptions, 'evidence' | 'digestKey'>> & { readonly clock?: ManualClock };

function watch(trunks: readonly Trunk[] = [main, off], { clock = new ManualClock(), ...parts }: Parts = {}) {
  const asked: OptionsRequest[] = [];
  const answer: { now: OptionsOutcome } = { now: ALIVE };
  const lines: string[] = [];
  const monitor = createTrunkMonitor({
    userAgent: {
      options: (request) => {
        asked.push(request);
        return Promise.resolve(answer.now);
      },
    },
    trunks: { all: () => Promise.resolve(trunks) },
    clock,
    ...parts,
    logger: createLogger({
      name: 'test',
      level: 'info',
      destination: { write: (line: string) => void lines.push(line) },
    }),
  });
  return { clock, asked, answer, lines, monitor };
}

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
let calls = 0;
/** A new call, to a new number unless one is given. */
function callOf(account: number, changes: Partial<MonitoredCall> = {}): MonitoredCall {
  calls += 1;
  return {
    callId: callIdSchema.parse(uuid(calls)),
    accountId: accountIdSchema.parse(uuid(account)),
    calleeNumber: e164Schema.parse(`+1202555${String(1_000 + calls)}`),
    sinceMs: 1_000_000,
    rang: false,
    ...changes,
  };
}
const congested = (retryAfterSeconds: number | null = 30) =>
  sessionEnd('refused', 'remote', '503', { sipCode: 503, retryAfterSeconds });
const silent = sessionEnd('silent', 'network', 'no response within 32 s');
const busy = sessionEnd('refused', 'remote', '', { sipCode: 486 });

type World = ReturnType<typeof watch>;
/** Ends that many calls, of two accounts in turn. */
function endAll({ monitor, clock }: World, trunk: Trunk, end: SessionEnd, count = 3) {
  for (let nth = 0; nth < count; nth += 1) {
    clock.turn(1);
    monitor.report(trunk, end, callOf(1 + (nth % 2), { sinceMs: clock.monotonicMs() }));
  }
}
const unasked = trunkOf({ name: 'unasked', healthCheck: 'none' });
const messages = ({ lines }: World) => lines.map((line) => JSON.parse(line).msg);

test('every enabled trunk gets OPTIONS at once and every 30 s, over its own transport and proxy', async () => {
  const { clock, asked, monitor } = watch();
  monitor.start();
  await clock.turnGently(0);
  await clock.turnGently(60_000, 10_000);
  expect(asked).toHaveLength(3);
  expect(asked[0]).toEqual({
    target: 'sip:trunk.example;transport=udp',
    outboundProxy: 'sip:proxy.example;transport=udp',
  });
  monitor.close();
  await clock.turnGently(60_000, 10_000);
  expect(asked).toHaveLength(3);
});

test.each([
  ['does not answer', { kind: 'silent' }],
  ['cannot be reached', { kind: 'unsent', detail: 'connection refused' }],
  ['answers OPTIONS with 503', { kind: 'answered', sipCode: 503, roundTripMs: 5 }],
] as const)('a trunk that %s is down until it answers with anything else', async (_, outcome) => {
  const { answer, monitor, lines, clock } = watch();
  expect(monitor.isUp(main)).toBe(true);
  answer.now = outcome;
  await monitor.ping();
  clock.turn(1);
  await monitor.ping();
  expect(monitor.isUp(main)).toBe(false);
  answer.now = ALIVE;
  clock.turn(1);
  await monitor.ping();
  expect(monitor.isUp(main)).toBe(true);
  // Once when it went down and once when it came back: not at every round.
  expect(lines).toHaveLength(2);
});

test('one call that ends with 503 keeps the trunk up, and so do many to the same number', () => {
  const world = watch([unasked]);
  const { monitor, clock } = world;
  const calleeNumber = e164Schema.parse('+12025550109');
  for (let nth = 0; nth < 20; nth += 1) {
    clock.turn(1);
    monitor.report(unasked, congested(), callOf(nth, { calleeNumber }));
    expect(monitor.isUp(unasked)).toBe(true);
  }
  expect(world.lines).toEqual([]);
});

test('a doubted trunk gets OPTIONS at once, and an answer clears the doubt', async () => {
  const world = watch();
  endAll(world, main, congested(), 2);
  expect(world.asked).toHaveLength(1);
  world.clock.turn(1);
  await setImmediate();
  endAll(world, main, congested(), 2);
  expect(world.monitor.isUp(main)).toBe(true);
});

test('while OPTIONS gets no answer, several calls of one account to several numbers take the trunk out', async () => {
  const world = watch();
  const { answer, monitor, clock } = world;
  answer.now = { kind: 'unsent', detail: 'connection refused' };
  monitor.report(main, busy, callOf(2));
  for (let nth = 0; nth < 3; nth += 1) {
    clock.turn(1);
    monitor.report(main, congested(), callOf(1));
  }
  await setImmediate();
  expect(monitor.isUp(main)).toBe(false);
  expect(messages(world)).toEqual(['the trunk takes no calls']);
});

test('a call that rang and then ended with 503 shows that the trunk is well', () => {
  const world = watch([unasked]);
  endAll(world, unasked, congested(), 2);
  world.clock.turn(1);
  world.monitor.report(unasked, congested(), callOf(3, { rang: true }));
  endAll(world, unasked, congested(), 2);
  expect(world.monitor.isUp(unasked)).toBe(true);
});

test('a call that could not be sent at all takes its trunk down until OPTIONS is answered', async () => {
  const { monitor, answer, clock } = watch();
  answer.now = { kind: 'silent' };
  monitor.report(main, sessionEnd('unsent', 'network', 'connection refused'), callOf(1));
  expect(monitor.isUp(main)).toBe(false);
  await setImmediate();
  answer.now = ALIVE;
  clock.turn(1);
  await monitor.ping();
  expect(monitor.isUp(main)).toBe(true);
});

test('silent calls count only without another answer from the trunk', () => {
  const world = watch([unasked]);
  const { monitor, clock } = world;
  const begun = [1, 2, 3].map((account) => callOf(account, { sinceMs: clock.monotonicMs() }));
  clock.turn(16_000);
  monitor.carried(unasked, callOf(4).accountId);
  clock.turn(16_000);
  for (const call of begun) monitor.report(unasked, silent, call);
  expect(monitor.isUp(unasked)).toBe(true);
  clock.turn(1);
  endAll(world, unasked, silent);
  expect(monitor.isUp(unasked)).toBe(false);
});

test('a wrong password stops the trunk and raises an alarm, and OPTIONS does not bring it back', async () => {
  const world = watch();
  const { clock, lines, monitor } = world;
  monitor.report(main, sessionEnd('unauthorized', 'remote', '407', { sipCode: 407 }), callOf(1));
  clock.turn(1);
  await monitor.ping();
  expect(monitor.isUp(main)).toBe(false);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', trunk: 'main', reason: 'unauthorized' },
  ]);
  clock.turn(600_000);
  const { callId } = callOf(1);
  expect([monitor.isUp(main), await monitor.tryProbe(main, callId), monitor.isUp(main, callId)]).toEqual([
    false,
    true,
    true,
  ]);
});

test('one call that is challenged at its destination does not stop a trunk that accepts our password', () => {
  const { monitor, clock } = watch();
  monitor.report(main, busy, callOf(2));
  clock.turn(1);
  monitor.report(main, sessionEnd('unauthorized', 'remote', '407', { sipCode: 407 }), callOf(1));
  expect(monitor.isUp(main)).toBe(true);
});

test('a trunk whose settings changed is checked again', () => {
  const { monitor } = watch();
  monitor.report(main, sessionEnd('unauthorized', 'remote', '401'), callOf(1));
  expect(monitor.isUp({ ...main, credentials: { username: 'alice', password: 'new' } })).toBe(true);
  expect(monitor.isUp(main)).toBe(false);
});

test('a trunk without OPTIONS checks is tried with one call at a time after its outage, and that call decides', async () => {
  const world = watch([unasked]);
  const { clock, asked, monitor } = world;
  monitor.start();
  await clock.turnGently(0);
  endAll(world, unasked, congested(20));
  const [one, other] = [callOf(1), callOf(2)];
  expect(await monitor.tryProbe(unasked, one.callId)).toBe(false);
  await clock.turnGently(21_000, 500);
  expect(await monitor.tryProbe(unasked, one.callId)).toBe(true);
  expect(await monitor.tryProbe(unasked, other.callId)).toBe(false);
  expect([monitor.isUp(unasked, one.callId), monitor.isUp(unasked, other.callId)]).toEqual([true, false]);
  monitor.report(unasked, congested(20), one);
  expect(monitor.isUp(unasked, one.callId)).toBe(false);
  await clock.turnGently(21_000, 500);
  expect(await monitor.tryProbe(unasked, other.callId)).toBe(true);
  monitor.carried(unasked, other.accountId);
  expect(monitor.isUp(unasked)).toBe(true);
  expect(asked).toEqual([]);
  expect(messages(world)).toEqual([
    'the trunk takes no calls',
    'the trunk is tried with one call at a time',
    'the trunk takes no calls',
    'the trunk is tried with one call at a time',
    'the trunk takes calls again',
  ]);
  monitor.close();
});

test('a trunk that rejects our password and then stops answering still counts as rejecting it', async () => {
  const { answer, monitor, clock } = watch();
  monitor.report(main, sessionEnd('unauthorized', 'remote', '401'), callOf(1));
  answer.now = { kind: 'silent' };
  await monitor.ping();
  clock.turn(1);
  answer.now = ALIVE;
  await monitor.ping();
  expect(monitor.isUp(main)).toBe(false);
});

test('a trunk that is out gets OPTIONS every second until it answers', async () => {
  const { answer, monitor, clock, asked } = watch();
  answer.now = { kind: 'unsent', detail: 'connection refused' };
  monitor.start();
  await clock.turnGently(5_000, 500);
  expect(monitor.isUp(main)).toBe(false);
  expect(asked.length).toBeGreaterThan(4);
  answer.now = ALIVE;
  await clock.turnGently(1_500, 500);
  expect(monitor.isUp(main)).toBe(true);
  monitor.close();
});

function twoWorkers(trunks: readonly Trunk[]) {
  const clock = new ManualClock();
  const evidence = new MemoryTrunkEvidence(
    clock,
    trunks.map(({ name }) => name),
  );
  const parts = { clock, evidence, digestKey: randomBytes(32) };
  return { clock, one: watch(trunks, parts), other: watch(trunks, parts) };
}

test('evidence of several workers adds up, and all of them reach the same verdict', async () => {
  const { clock, one, other } = twoWorkers([unasked]);
  for (const { monitor } of [one, other]) monitor.start();
  await clock.turnGently(0);
  for (const [nth, { monitor }] of [one, other, one].entries()) {
    clock.turn(1);
    monitor.report(unasked, congested(), callOf(nth % 2));
  }
  await clock.turnGently(2_000, 500);
  expect([one, other].map(({ monitor }) => monitor.isUp(unasked))).toEqual([false, false]);
  other.monitor.carried(unasked, callOf(1).accountId);
  await clock.turnGently(2_000, 500);
  expect([one, other].map(({ monitor }) => monitor.isUp(unasked))).toEqual([true, true]);
  expect(messages(one).at(-1)).toBe('the trunk takes calls again');
  for (const { monitor } of [one, other]) monitor.close();
});

test('a half-open trunk is tried by one call over all workers', async () => {
  const { clock, one, other } = twoWorkers([unasked]);
  for (const { monitor } of [one, other]) monitor.start();
  await clock.turnGently(0);
  endAll(one, unasked, congested(5));
  await clock.turnGently(6_000, 500);
  const [first, second] = [callOf(1), callOf(2)];
  expect(await one.monitor.tryProbe(unasked, first.callId)).toBe(true);
  expect(await other.monitor.tryProbe(unasked, second.callId)).toBe(false);
  for (const { monitor } of [one, other]) monitor.close();
});

test('the monitor reports whether any trunk takes calls, and since when none does', async () => {
  const world = watch([unasked, off]);
  const { monitor, clock } = world;
  expect(await monitor.availability()).toEqual({ kind: 'up' });
  endAll(world, unasked, congested(20));
  clock.turn(5_000);
  expect(await monitor.availability()).toEqual({ kind: 'out', forMs: 5_000, backInMs: 15_000 });
  clock.turn(15_000);
  expect(await monitor.availability()).toEqual({ kind: 'up' });
  expect(await watch([off]).monitor.availability()).toEqual({ kind: 'none' });
});

test('the condition of the enabled trunks can be read, in words', async () => {
  const { monitor, answer } = watch([main, trunkOf({ name: 'spare' }), off]);
  answer.now = { kind: 'unsent', detail: 'no address' };
  expect(await monitor.conditions()).toEqual([
    { trunk: 'main', state: 'up', detail: null },
    { trunk: 'spare', state: 'up', detail: null },
  ]);
  monitor.report(main, sessionEnd('unsent', 'network', 'no address'), callOf(1));
  const [first] = await monitor.conditions();
  expect(first).toEqual({ trunk: 'main', state: 'unreachable', detail: 'no address' });
});

test('settings that are not a SIP URI take a trunk down', async () => {
  const broken = trunkOf({ uri: 'nonsense' });
  const { monitor } = watch([broken]);
  await monitor.ping();
  expect(monitor.isUp(broken)).toBe(false);
});
