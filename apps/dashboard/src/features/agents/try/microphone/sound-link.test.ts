import { expect, test } from 'vitest';
import { FakeConnection, FakePageClock } from '../../../../../test/fake-try-service.ts';
import { SoundLink } from './sound-link.ts';

const sound = (frames = 2) => new Uint8Array(160 * frames).fill(0x80);

function setUp() {
  const clock = new FakePageClock();
  const connections: FakeConnection[] = [];
  const seen: string[] = [];
  const link = new SoundLink({
    openSocket() {
      const next = new FakeConnection();
      connections.push(next);
      return next;
    },
    clock,
    onHeard: () => seen.push('heard'),
    onBroken: () => seen.push('broken'),
    onSound: (ulaw) => seen.push(`sound ${ulaw.length}`),
    onClear: () => seen.push('clear'),
    onOver: (end) => seen.push(end.kind === 'ended' ? `ended ${end.reason}` : end.kind),
  });
  const last = () => {
    const connection = connections.at(-1);
    if (connection === undefined) throw new Error('connected');
    return connection;
  };
  return { clock, connections, seen, link, last };
}

test('the agent hears from its start on, and the page what it says, until it ends with its reason', () => {
  const { last, link, seen } = setUp();
  link.send(sound());
  last().open();
  link.send(sound());
  expect(last().heard).toEqual([]);
  last().report({ kind: 'started' });
  link.send(sound());
  last().speak(sound(5));
  last().report({ kind: 'clear' });
  last().report({ kind: 'unknown' });
  last().end('agent_hangup');
  link.send(sound());
  expect(last().heard).toEqual([sound()]);
  expect(seen).toEqual(['heard', 'sound 800', 'clear', 'ended agent_hangup']);
});

test('parts of a frame are not played', () => {
  const { last, seen } = setUp();
  last().open();
  for (const bytes of [0, 159, 161, 1_760]) last().speak(new Uint8Array(bytes));
  expect(seen).toEqual([]);
});

test('a network that is too slow loses sound, and the page keeps no more than a second', () => {
  const { last, link } = setUp();
  last().open();
  last().report({ kind: 'started' });
  last().bufferedAmount = 8_001;
  link.send(sound());
  last().bufferedAmount = 0;
  link.send(sound());
  expect(last().heard).toHaveLength(1);
});

test('nothing is sent while the connection closes', () => {
  const { last, link } = setUp();
  last().open();
  last().report({ kind: 'started' });
  last().readyState = 2;
  link.send(sound());
  expect(last().heard).toEqual([]);
});

test('a connection that breaks is replaced, and the conversation goes on without another start', () => {
  const { clock, connections, last, link, seen } = setUp();
  last().open();
  last().report({ kind: 'started' });
  clock.pass(60_000);
  last().drop();
  link.send(sound());
  clock.pass(400);
  last().open();
  link.send(sound());
  expect(connections).toHaveLength(2);
  expect(last().heard).toHaveLength(1);
  expect(seen).toEqual(['heard', 'broken', 'heard']);
  // A process that stops: another one takes it at once.
  clock.pass(2_000);
  last().closeWith('stopping');
  clock.pass(1);
  expect(connections).toHaveLength(3);
});

test('it is lost once the service has stopped waiting, and no connection is opened after that', () => {
  const { clock, connections, last, seen } = setUp();
  last().open();
  last().report({ kind: 'started' });
  clock.pass(2_000);
  for (let ms = 0; ms < 6_000; ms += 100) {
    if (!seen.includes('lost')) last().drop();
    clock.pass(100);
  }
  expect(seen.at(-1)).toBe('lost');
  const { length } = connections;
  expect(length).toBeGreaterThan(5);
  clock.pass(60_000);
  expect(connections).toHaveLength(length);
});

test('a service that opens each connection and closes it at once does not keep the page trying', () => {
  const { clock, last, seen } = setUp();
  for (let ms = 0; ms < 6_000 && !seen.includes('lost'); ms += 401) {
    last().open();
    last().closeWith('unavailable');
    clock.pass(401);
  }
  expect(seen.at(-1)).toBe('lost');
});

test.each([
  ['taken', 'taken'],
  ['not_sound', 'not_sound'],
  ['access_lost', 'access_lost'],
] as const)('a connection that the service closes as %s is over at once', (close, kind) => {
  const { clock, connections, last, seen } = setUp();
  last().open();
  last().closeWith(close);
  clock.pass(60_000);
  expect(seen).toEqual([kind]);
  expect(connections).toHaveLength(1);
});

test('after a break, the service may still have the broken connection: the page tries again', () => {
  const { clock, last, seen } = setUp();
  last().open();
  last().report({ kind: 'started' });
  clock.pass(5_000);
  last().drop();
  clock.pass(400);
  last().open();
  last().closeWith('taken');
  clock.pass(400);
  last().open();
  clock.pass(5_000);
  expect(seen.filter((one) => one !== 'heard')).toEqual(['broken', 'broken']);
  last().end('time_over');
  expect(seen.at(-1)).toBe('ended time_over');
});

test('a page that leaves closes the connection, hears nothing more, and opens no other', () => {
  const { clock, connections, last, link, seen } = setUp();
  last().open();
  link.close();
  last().speak(sound());
  last().drop();
  clock.pass(60_000);
  expect([last().isLeft, connections.length, seen]).toEqual([true, 1, []]);
});
