import { randomUUID } from 'node:crypto';
import { webhookMessageIdSchema } from '@outdial/contracts';
import * as fc from 'fast-check';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createSecret } from './secret.ts';
import { sign } from './sign.ts';

const messageId = webhookMessageIdSchema.parse(randomUUID());
const texts = fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify({ text }));

/** The library compares the time of a message with the time of day. */
const signNow = (body: string, secrets: readonly string[]) => ({
  ...sign({ messageId, atMs: Date.now(), body, secrets }),
});

test('a secret has 32 random bytes in the form of Standard Webhooks', () => {
  const secret = createSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(createSecret()).not.toBe(secret);
});

test('a receiver with the library of Standard Webhooks accepts what was signed', () => {
  const secret = createSecret();
  fc.assert(
    fc.property(texts, (body) => {
      const headers = signNow(body, [secret]);
      expect(headers['webhook-id']).toBe(`msg_${messageId}`);
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    }),
  );
});

test('receivers with the old secret and with the new one accept a message while a rotation overlaps', () => {
  const [next, previous] = [createSecret(), createSecret()];
  const body = '{"type":"webhook.test"}';
  const headers = signNow(body, [next, previous]);
  for (const secret of [next, previous]) {
    expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'webhook.test' });
  }
  expect(() => new Webhook(createSecret()).verify(body, headers)).toThrow(WebhookVerificationError);
});

test('a receiver rejects a message with any byte changed', () => {
  const secret = createSecret();
  const body = '{"type":"call.ended","data":{"call":{"status":"ended"}}}';
  const headers = signNow(body, [secret]);
  const receiver = new Webhook(secret);
  for (let at = 0; at < body.length; at += 1) {
    const changed = `${body.slice(0, at)}${body[at] === ' ' ? '!' : ' '}${body.slice(at + 1)}`;
    expect(() => receiver.verify(changed, headers, { jsonParse: false })).toThrow(WebhookVerificationError);
  }
  const other = { ...headers, 'webhook-id': `msg_${randomUUID()}` };
  expect(() => receiver.verify(body, other)).toThrow(WebhookVerificationError);
});

test('a signature is the one of the specification, down to the byte', () => {
  const known = {
    messageId: webhookMessageIdSchema.parse('0c000000-0000-4000-8000-000000000001'),
    atMs: 1_674_087_231_999,
    body: '{"event_type":"ping","data":{"success":true}}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  };
  expect(sign(known)).toEqual({
    'webhook-id': 'msg_0c000000-0000-4000-8000-000000000001',
    'webhook-timestamp': '1674087231',
    'webhook-signature': new Webhook(known.secrets[0] ?? '').sign(
      `msg_${known.messageId}`,
      new Date(1_674_087_231_000),
      known.body,
    ),
  });
});
