import { randomUUID } from 'node:crypto';
import { accountIdSchema, webhookEndpointIdSchema, webhookMessageIdSchema } from '@outdial/contracts';
import type { HandedMessage, Listening } from '@outdial/webhooks';
import { fakeClock, type FakeClock } from '@outdial/testkit';
import { beforeEach, expect, it } from 'vitest';
import { createListenerHub, type ListenerHub } from './listener-hub.ts';

let clock: FakeClock;
let hub: ListenerHub;
let errors: unknown[];
/** What each round asked for. */
let asked: (readonly Listening[])[];
/** What is due. A round takes as much as there is room for. */
let due: HandedMessage[];
let isAway: boolean;
let gone: Set<string>;
beforeEach(() => {
  clock = fakeClock();
  [errors, asked, due, isAway, gone] = [[], [], [], false, new Set()];
  hub = createListenerHub({ clock, handOut, onError: (error) => errors.push(error) });
});

async function handOut(listening: readonly Listening[]) {
  asked.push(listening);
  if (isAway) throw new Error('Postgres is unavailable');
  const messages = listening.flatMap(({ listenerId, room }) =>
    due.filter((message) => message.listenerId === listenerId).slice(0, room),
  );
  due = due.filter((message) => !messages.includes(message));
  return { messages, alive: new Set(listening.map((each) => each.listenerId).filter((id) => !gone.has(id))) };
}

const newListener = () => ({
  listenerId: webhookEndpointIdSchema.parse(randomUUID()),
  accountId: accountIdSchema.parse(randomUUID()),
});
type Listener = ReturnType<typeof newListener>;

function message({ listenerId }: Listener): HandedMessage {
  const messageId = webhookMessageIdSchema.parse(randomUUID());
  return { listenerId, messageId, attempt: 1, type: 'call.ended', callId: null, headers: {}, body: '{}' };
}

/** A stream with room for so many messages, which reads none. */
function follow(listener: Listener, room = 10) {
  const taken: HandedMessage[] = [];
  let ends = 0;
  const unfollow = hub.follow(listener, {
    room: () => room - taken.length,
    take: (messages) => taken.push(...messages),
    gone: () => (ends += 1),
  });
  return { taken, unfollow, ends: () => ends };
}

it('a thousand streams of a neighbor cost no further statement, and no delay of others', async () => {
  const neighbors = Array.from({ length: 5 }, newListener);
  for (const listener of neighbors) for (let count = 0; count < 200; count += 1) follow(listener);
  const own = newListener();
  const { taken } = follow(own);
  await clock.advance(1_000);
  const rounds = asked.length;
  due.push(message(own));
  await clock.advance(1_000);
  expect(taken).toHaveLength(1);
  expect(asked.length - rounds).toBeLessThanOrEqual(2);
  expect(asked.at(-1)).toHaveLength(6);
});

it('however many hints come, Postgres is asked ten times a second, and without a stream never', async () => {
  const { unfollow } = follow(newListener());
  for (let ms = 0; ms < 1_000; ms += 10) {
    hub.hint();
    await clock.advance(10);
  }
  expect(asked.length).toBeLessThanOrEqual(11);
  unfollow();
  await clock.advance(1_000);
  const { length } = asked;
  hub.hint();
  await clock.advance(10_000);
  expect(asked).toHaveLength(length);
});

it('a message goes to one stream, as many as each has room for, and a full one keeps its listener alive', async () => {
  const listener = newListener();
  const [small, large, full] = [follow(listener, 1), follow(listener, 3), follow(listener, 0)];
  due.push(...Array.from({ length: 6 }, () => message(listener)));
  const inOrder = [...due];
  await clock.advance(1_000);
  expect([...small.taken, ...large.taken]).toEqual(inOrder.slice(0, 4));
  expect([small, large, full].map(({ taken }) => taken.length)).toEqual([1, 3, 0]);
  small.unfollow();
  large.unfollow();
  await clock.advance(1_000);
  expect(asked.at(-1)).toEqual([{ ...listener, room: 0 }]);
});

it('streams of a listener that is gone end', async () => {
  const [listener, other] = [newListener(), newListener()];
  const [stream, kept] = [follow(listener), follow(other)];
  await clock.advance(0);
  expect(stream.ends()).toBe(0);
  gone.add(listener.listenerId);
  hub.hint();
  await clock.advance(100);
  expect(stream.ends()).toBeGreaterThan(0);
  expect(kept.ends()).toBe(0);
});

it('a store that is away delays messages and loses none', async () => {
  const listener = newListener();
  isAway = true;
  const { taken } = follow(listener);
  due.push(message(listener));
  await clock.advance(2_000);
  expect([taken.length, errors.length > 0]).toEqual([0, true]);
  isAway = false;
  await clock.advance(1_000);
  expect(taken).toHaveLength(1);
});

it('asks no more once it has stopped', async () => {
  follow(newListener());
  await clock.advance(0);
  await hub.stop();
  const { length } = asked;
  await clock.advance(5_000);
  expect(asked).toHaveLength(length);
});
