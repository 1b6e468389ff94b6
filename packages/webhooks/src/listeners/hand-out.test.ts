import { randomBytes, randomUUID } from 'node:crypto';
import { webhookEndpointIdSchema } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { sealSecret } from '@outdial/secrets';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { exampleFacts } from '../body/example-facts.ts';
import { formBody } from '../body/form-body.ts';
import type { HeardDelivery } from '../ports/listener-store.ts';
import type { FinishedAttempt } from '../ports/webhook-store.ts';
import { createSecret } from '../signing/secret.ts';
import { senderStage } from '../testing/sender-stage.ts';
import { handOut } from './hand-out.ts';
import { heardAttempt } from './heard-attempt.ts';

/** Hands out what a test has written. */
function listenerStage() {
  const { store, clock, secretKey, secret, delivery } = senderStage();
  const heard: HeardDelivery[] = [];
  const alive = new Set([webhookEndpointIdSchema.parse(randomUUID())]);
  const deps = {
    store: {
      hear: async () => ({ deliveries: heard.splice(0), alive }),
      factsOf: store.factsOf.bind(store),
      keepBodies: store.keepBodies.bind(store),
      release: store.release.bind(store),
      finish: (attempt: FinishedAttempt) => store.finish(attempt),
    },
    secretKey,
    version: '1.2.3',
    clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  };
  return { store, clock, secret, delivery, heard, alive, handOut: () => handOut(deps, []) };
}

it('a listener gets the headers and the kept body that an endpoint gets', async () => {
  const stage = listenerStage();
  const facts = { messageId: stage.delivery().messageId, ...exampleFacts('call.ended', stage.clock.nowMs()) };
  stage.store.facts.push(facts);
  const delivery = stage.delivery({ messageId: facts.messageId, body: null, attempt: 2 });
  stage.heard.push(delivery);
  const { messages, alive } = await stage.handOut();
  const { messageId, endpointId: listenerId, type, callId } = delivery;
  expect(messages).toMatchObject([{ listenerId, messageId, attempt: 2, type, callId, body: formBody(facts) }]);
  expect(alive).toBe(stage.alive);
  const { headers = {}, body = '' } = messages[0] ?? {};
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Outdial-Webhooks/1.2.3',
    'outdial-version': '2026-12-01',
    'webhook-id': `msg_${messageId}`,
  });
  expect(new Webhook(stage.secret).verify(body, { ...headers })).toMatchObject({ type: 'call.ended' });
});

it('what cannot be sent fails, and does not hold up what follows it', async () => {
  const stage = listenerStage();
  const [withoutCall, good] = [stage.delivery({ body: null }), stage.delivery()];
  const foreign = stage.delivery();
  const owner = { purpose: 'webhook secret', owner: foreign.endpointId } as const;
  stage.heard.push(withoutCall, { ...foreign, sealedSecret: sealSecret(randomBytes(32), createSecret(), owner) }, good);
  expect((await stage.handOut()).messages).toMatchObject([{ messageId: good.messageId }]);
  // Kept bodies first.
  expect(stage.store.finished).toMatchObject([
    { messageId: foreign.messageId, error: 'secret', verdict: { kind: 'failed' } },
    { messageId: withoutCall.messageId, error: 'body', verdict: { kind: 'failed' } },
  ]);
});

it('a failure that cannot be stored costs neither the other messages nor the other failures', async () => {
  const stage = listenerStage();
  const [first, second, good] = [stage.delivery({ body: null }), stage.delivery({ body: null }), stage.delivery()];
  stage.heard.push(first, second, good);
  stage.store.finishErrors = 1;
  expect((await stage.handOut()).messages).toMatchObject([{ messageId: good.messageId }]);
  expect(stage.store.finished).toMatchObject([{ messageId: second.messageId, error: 'body' }]);
});

it('messages wait for no failure that is being stored', async () => {
  const stage = listenerStage();
  const good = stage.delivery();
  stage.heard.push(stage.delivery({ body: null }), good);
  stage.store.finish = () => new Promise(() => undefined);
  expect((await stage.handOut()).messages).toMatchObject([{ messageId: good.messageId }]);
});

it('what could not be read is released, so that it is due again in seconds', async () => {
  const stage = listenerStage();
  const [unread, good] = [stage.delivery({ body: null }), stage.delivery()];
  stage.heard.push(unread, good);
  stage.store.isAway = true;
  expect((await stage.handOut()).messages).toMatchObject([{ messageId: good.messageId }]);
  expect(stage.store.released).toMatchObject([{ messageId: unread.messageId }]);
});

it('a reported result ends the delivery: 2xx delivers, and nothing else is repeated', () => {
  const { messageId, endpointId } = senderStage().delivery();
  const result = { messageId, endpointId, attempt: 1, error: null, durationMs: 12, responseBody: 'a\0' };
  const of = (status: number | null) =>
    heardAttempt({ ...result, status, responseHeaders: { 'X-A': '1', 'Set-Cookie': 'a=1' } }, 1_000);
  expect(of(204)).toMatchObject({
    startedAtMs: 988,
    laneId: endpointId,
    error: null,
    responseHeaders: { 'x-a': '1' },
    responseBody: 'a\ufffd',
    verdict: { kind: 'delivered' },
  });
  expect(of(204).responseHeaders).not.toHaveProperty('set-cookie');
  for (const status of [199, 302, 410, 500]) {
    expect(of(status)).toMatchObject({ status, error: 'status', verdict: { kind: 'failed', laneDelayMs: 0 } });
  }
  const timedOut = heardAttempt({ ...result, status: null, error: 'timeout', responseHeaders: {} }, 1_000);
  expect(timedOut).toMatchObject({ status: null, error: 'timeout', verdict: { kind: 'failed' } });
});
