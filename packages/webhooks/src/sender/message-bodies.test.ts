import { webhookMessageIdSchema } from '@outdial/contracts';
import { describe, expect, it, test } from 'vitest';
import { exampleFacts } from '../body/example-facts.ts';
import { formBody } from '../body/form-body.ts';
import { senderStage } from '../testing/sender-stage.ts';

describe('the body of a message', () => {
  it('is kept before it is sent, once for all endpoints, and the kept one wins', async () => {
    const { store, sender, delivery, requests, clock } = senderStage();
    const facts = { messageId: delivery().messageId, ...exampleFacts('call.ended', clock.nowMs()) };
    const first = delivery({ messageId: facts.messageId, body: null });
    const second = delivery({ messageId: facts.messageId, body: null });
    store.facts.push(facts);
    store.claims.push([first, second], [first]);
    sender.start();
    await clock.advance(50);
    expect(requests.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => formBody(facts)));
    const another = webhookMessageIdSchema.parse(facts.messageId);
    store.bodies.set(another, '{"kept":"earlier"}');
    store.claims.push([first]);
    await clock.advance(1_000);
    expect(requests.at(-1)?.body).toBe('{"kept":"earlier"}');
    await sender.stop();
  });

  it('cannot be formed without its call: the delivery fails, and the others are sent', async () => {
    const { store, sender, delivery, requests, clock } = senderStage();
    store.claims.push([delivery({ body: null }), delivery()]);
    sender.start();
    await clock.advance(0);
    expect(requests).toHaveLength(1);
    expect(store.finished).toMatchObject([
      { error: null, verdict: { kind: 'delivered' } },
      { error: 'body', status: null, verdict: { kind: 'failed' } },
    ]);
    await sender.stop();
  });

  it('that cannot be read fails alone: its log says so, it is tried again, and the others are sent', async () => {
    const { store, sender, delivery, requests, clock, attempted } = senderStage();
    const facts = { messageId: delivery().messageId, ...exampleFacts('call.ended', clock.nowMs()) };
    const unknown = { ...facts, messageId: delivery().messageId };
    // A call in a state that only a later version knows.
    Object.assign(unknown, { call: { ...facts.call, createdAtMs: Number.NaN } });
    const unreadable = { messageId: delivery().messageId, error: new Error('is filled in this state') };
    store.facts.push(unreadable, unknown, facts);
    const claimed = [unreadable, unknown, facts].map(({ messageId }) => delivery({ messageId, body: null }));
    store.claims.push([...claimed, delivery()]);
    sender.start();
    await clock.advance(0);
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set(['{"type":"call.ended"}', formBody(facts)]));
    const failed = store.finished.filter(({ error }) => error !== null);
    expect(failed).toMatchObject([
      { messageId: unreadable.messageId, error: 'body', status: null, verdict: { kind: 'retry', dueInMs: 5_000 } },
      { messageId: unknown.messageId, error: 'body', status: null, verdict: { kind: 'retry', dueInMs: 5_000 } },
    ]);
    expect(attempted.toSorted()).toEqual(['delivered', 'delivered', 'retry', 'retry']);
    await sender.stop();
  });

  it('is not sent in a version that this service does not know, which ends no process', async () => {
    const { store, sender, delivery, requests, clock } = senderStage();
    const later: unknown = '2999-01-01';
    store.claims.push([Object.assign(delivery(), { apiVersion: later }), delivery()]);
    sender.start();
    await clock.advance(0);
    expect(requests).toHaveLength(1);
    expect(new Set(store.finished.map(({ error }) => error))).toEqual(new Set(['body', null]));
    await sender.stop();
  });
});

describe('a store that is away while bodies are read', () => {
  it('takes no tries: what has its body is sent, the rest is released', async () => {
    const { store, sender, delivery, requests, clock } = senderStage();
    store.isAway = true;
    const [first, second] = [delivery({ body: null, attempt: 3 }), delivery({ body: null })];
    store.claims.push([first, delivery(), second]);
    sender.start();
    await clock.advance(0);
    expect(requests).toHaveLength(1);
    expect(store.finished).toHaveLength(1);
    expect(store.released).toEqual([first, second]);
    await sender.stop();
  });

  it('is asked to release until it takes it, while the claim lasts', async () => {
    const { store, sender, delivery, clock } = senderStage();
    store.isAway = true;
    store.finishErrors = 3;
    store.claims.push([delivery({ body: null })]);
    sender.start();
    await clock.advance(3_000);
    expect(store.released).toHaveLength(1);
    store.finishErrors = Number.POSITIVE_INFINITY;
    store.claims.push([delivery({ body: null })]);
    await clock.advance(40_000);
    store.finishErrors = 0;
    await clock.advance(5_000);
    expect(store.released).toHaveLength(1);
    await sender.stop();
  });
});

test('a defect in an attempt ends no process, and frees its slot', async () => {
  const stage = senderStage({ concurrency: 1 });
  const { store, sender, delivery, clock } = stage;
  store.claims.push([delivery()], [delivery()]);
  stage.observe = () => {
    throw new TypeError('a defect');
  };
  sender.start();
  await clock.advance(0);
  stage.observe = () => undefined;
  await clock.advance(1_000);
  expect(store.finished).toHaveLength(1);
  await sender.stop();
});
