import { randomUUID } from 'node:crypto';
import { accountIdSchema, webhookMessageIdSchema } from '@outdial/contracts';
import { createSecret, sign } from '@outdial/webhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openReceivers, type Receivers } from './receivers.ts';

const accountId = accountIdSchema.parse(randomUUID());
const messageId = webhookMessageIdSchema.parse(randomUUID());
const body = JSON.stringify({ type: 'call.ended', data: { event: { id: '7' }, call: { id: 'c', status: 'ended' } } });

let receivers: Receivers;
let url: string;
let secret: string;
beforeEach(async () => {
  receivers = await openReceivers();
  secret = createSecret();
  url = receivers.open(accountId, secret);
});
afterEach(() => receivers.close());

const post = (sent = body, secrets = [secret]) => {
  const headers = { ...sign({ messageId, atMs: Date.now(), body, secrets }) };
  return fetch(url, { method: 'POST', body: sent, headers });
};

test('a request is answered, and stands in the journal with what it is about', async () => {
  expect((await post()).status).toBe(204);
  expect(receivers.received(accountId)).toEqual([
    {
      accountId,
      id: `msg_${messageId}`,
      isSigned: true,
      digest: expect.any(String),
      type: 'call.ended',
      eventId: 7,
      callId: 'c',
      callStatus: 'ended',
      atMs: expect.any(Number),
      isAnswered: true,
    },
  ]);
});

test('a wrong secret and a changed byte are no signature, and other bytes have another digest', async () => {
  await post();
  await post(body, [createSecret()]);
  await post(body.replace('"7"', '"8"'));
  await post('no webhook');
  const received = receivers.received();
  expect(received.map(({ isSigned }) => isSigned)).toEqual([true, false, false, false]);
  expect(received.map(({ type, eventId }) => [type, eventId])).toEqual([
    ['call.ended', 7],
    ['call.ended', 7],
    ['call.ended', 8],
    ['unreadable', 0],
  ]);
  expect(new Set(received.map(({ digest }) => digest)).size).toBe(3);
});

test('a request that is held is answered once it is released, unless its sender is gone', async () => {
  receivers.hold(accountId);
  const gone = new AbortController();
  const giving = fetch(url, { method: 'POST', body, signal: gone.signal });
  const waiting = post();
  await vi.waitFor(() => expect(receivers.waiting(accountId)).toBe(2));
  gone.abort();
  await expect(giving).rejects.toThrow(/abort/i);
  await vi.waitFor(() => expect(receivers.waiting(accountId)).toBe(1));
  expect(receivers.received(accountId).map(({ isAnswered }) => isAnswered)).toEqual([false, false]);
  receivers.release(accountId);
  expect((await waiting).status).toBe(204);
  expect(receivers.received(accountId).filter(({ isAnswered }) => isAnswered)).toHaveLength(1);
  expect((await post()).status).toBe(204);
});
