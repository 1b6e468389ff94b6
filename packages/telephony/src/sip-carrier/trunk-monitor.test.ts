import { trunkOf } from '@outdial/calls/testing';
import { createLogger } from '@outdial/kernel';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/manual-clock.ts';
import type { OptionsOutcome, OptionsRequest } from '../sip/agent/ping.ts';
import { sessionEnd } from '../sip/session/session.ts';
import { createTrunkMonitor } from './trunk-monitor.ts';

const main = trunkOf({ name: 'main', outboundProxy: 'sip:proxy.example' });
const off = trunkOf({ name: 'off', enabled: false });
const ALIVE: OptionsOutcome = { kind: 'answered', sipCode: 404, roundTripMs: 5 };

function watch(trunks = [main, off]) {
  const clock = new ManualClock();
  const asked: OptionsRequest[] = [];
  const answer = { now: ALIVE };
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
    logger: createLogger({
      name: 'test',
      level: 'info',
      destination: { write: (line: string) => void lines.push(line) },
    }),
  });
  return { clock, asked, answer, lines, monitor };
}

const refused = (retryAfterSeconds: number | null) =>
  sessionEnd('refused', 'remote', '503', { sipCode: 503, retryAfterSeconds });

test('every enabled trunk is asked at once and every 30 s, by its own transport and proxy', async () => {
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
  ['says nothing', { kind: 'silent' }],
  ['cannot be reached', { kind: 'unsent', detail: 'connection refused' }],
] as const)('a trunk that %s is down until it answers, whatever it answers', async (_, outcome) => {
  const { answer, monitor, lines } = watch();
  expect(monitor.isUp(main)).toBe(true);
  answer.now = outcome;
  await monitor.ping();
  await monitor.ping();
  expect(monitor.isUp(main)).toBe(false);
  answer.now = ALIVE;
  await monitor.ping();
  expect(monitor.isUp(main)).toBe(true);
  // Once when it went and once when it came: not at every round.
  expect(lines).toHaveLength(2);
});

test.each(['silent', 'unsent'] as const)(
  'a call that ends %s takes its trunk down until OPTIONS is answered',
  async (outcome) => {
    const { monitor } = watch();
    monitor.report(main, sessionEnd(outcome, 'network', ''));
    expect(monitor.isUp(main)).toBe(false);
    await monitor.ping();
    expect(monitor.isUp(main)).toBe(true);
  },
);

test('a wrong password stops the trunk and raises an alarm, and OPTIONS does not bring it back', async () => {
  const { clock, lines, monitor } = watch();
  monitor.report(main, sessionEnd('unauthorized', 'remote', '407', { sipCode: 407 }));
  await monitor.ping();
  expect(monitor.isUp(main)).toBe(false);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', trunk: 'main', reason: 'unauthorized' },
  ]);
  clock.turn(600_000);
  expect(monitor.isUp(main)).toBe(true);
});

test('a trunk whose settings are changed is asked anew', () => {
  const { monitor } = watch();
  monitor.report(main, sessionEnd('unauthorized', 'remote', '401'));
  expect(monitor.isUp({ ...main, credentials: { username: 'alice', password: 'new' } })).toBe(true);
  expect(monitor.isUp(main)).toBe(false);
});

test('a 503 is believed for as long as it says, five minutes at most', () => {
  const { clock, monitor } = watch();
  monitor.report(main, refused(null));
  expect(monitor.isUp(main)).toBe(true);
  monitor.report(main, refused(30));
  clock.turn(29_999);
  expect(monitor.isUp(main)).toBe(false);
  clock.turn(1);
  expect(monitor.isUp(main)).toBe(true);
  monitor.report(main, refused(86_400));
  clock.turn(300_000);
  expect(monitor.isUp(main)).toBe(true);
});

test('a call that goes through shows that the trunk is well; a busy callee shows nothing', () => {
  const { monitor } = watch();
  monitor.report(main, sessionEnd('silent', 'network', ''));
  monitor.report(main, sessionEnd('refused', 'remote', '', { sipCode: 486 }));
  expect(monitor.isUp(main)).toBe(false);
  monitor.report(main, sessionEnd('completed', 'remote', ''));
  expect(monitor.isUp(main)).toBe(true);
});

test('a trunk that is not to be asked never is; a call that nothing came back to takes it out for a minute', async () => {
  const unasked = trunkOf({ name: 'unasked', healthCheck: 'none' });
  const { clock, asked, answer, monitor } = watch([unasked]);
  answer.now = { kind: 'silent' };
  await monitor.ping();
  expect(asked).toEqual([]);
  expect(monitor.isUp(unasked)).toBe(true);
  monitor.report(unasked, sessionEnd('silent', 'network', ''));
  clock.turn(59_999);
  expect(monitor.isUp(unasked)).toBe(false);
  clock.turn(1);
  expect(monitor.isUp(unasked)).toBe(true);
});

test('a trunk that refuses our password and then falls silent refuses it still', async () => {
  const { answer, monitor } = watch();
  monitor.report(main, sessionEnd('unauthorized', 'remote', '401'));
  answer.now = { kind: 'silent' };
  await monitor.ping();
  answer.now = ALIVE;
  await monitor.ping();
  expect(monitor.isUp(main)).toBe(false);
});

test('what is known of the enabled trunks can be read, in words', async () => {
  const { monitor } = watch([main, trunkOf({ name: 'spare' }), off]);
  expect(await monitor.conditions()).toEqual([
    { trunk: 'main', state: 'up', detail: null },
    { trunk: 'spare', state: 'up', detail: null },
  ]);
  monitor.report(main, sessionEnd('silent', 'network', 'no response within 32 s'));
  const [first] = await monitor.conditions();
  expect(first).toEqual({ trunk: 'main', state: 'unreachable', detail: 'no response within 32 s' });
});

test('settings that are no SIP URI make a trunk that is down', async () => {
  const broken = trunkOf({ uri: 'nonsense' });
  const { monitor } = watch([broken]);
  await monitor.ping();
  expect(monitor.isUp(broken)).toBe(false);
});
