import { createHmac, randomBytes } from 'node:crypto';
import { expect, expectTypeOf, it } from 'vitest';
import { WebhookVerificationError } from './errors.ts';
import type { components } from './generated/api.ts';
import type { WebhookEvent } from './webhook-events.ts';
import { webhooks } from './webhooks.ts';

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
const secret = newSecret();
const body = JSON.stringify({ type: 'call.ended', timestamp: '2026-12-04T10:11:12.345Z', data: { call: { id: 'é' } } });

/** Signs as Standard Webhooks 1.0 says, by Node's own HMAC. */
function headersFor(text: string, secrets: readonly string[], atSeconds = Math.floor(Date.now() / 1_000)) {
  const signatures = secrets.map((each) => {
    const key = Buffer.from(each.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`msg_1.${atSeconds}.${text}`).digest('base64')}`;
  });
  return {
    'Webhook-Id': 'msg_1',
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': signatures.join(' '),
    host: 'example.com',
    via: ['a', 'b'],
  };
}

it('a signed webhook is its event: text or bytes, headers of Node or of fetch', () => {
  const headers = headersFor(body, [secret]);
  const event = webhooks.verify(body, headers, secret);
  expect(event).toEqual(JSON.parse(body));
  if (event.type === 'call.ended') expect(event.data.call.id).toBe('é');
  expect(webhooks.verify(Buffer.from(body), { ...headers }, secret)).toEqual(event);
  const { via: _via, ...single } = headers;
  expect(webhooks.verify(new TextEncoder().encode(body), new Headers(single), secret)).toEqual(event);
});

it('one of two signatures is enough, while a secret rotates', () => {
  const other = newSecret();
  const headers = headersFor(body, [other, secret]);
  expect(webhooks.verify(body, headers, secret)).toEqual(webhooks.verify(body, headers, other));
});

it('a changed byte, another secret, an old or missing header are a WebhookVerificationError', () => {
  const now = Math.floor(Date.now() / 1_000);
  const headers = headersFor(body, [secret]);
  for (const [text, sent, by] of [
    [`${body} `, headers, secret],
    [body, headers, newSecret()],
    [body, headersFor(body, [secret], now - 301), secret],
    [body, headersFor(body, [secret], now + 301), secret],
    [body, { ...headers, 'webhook-signature': undefined }, secret],
    [body, {}, secret],
    ['not JSON', headersFor('not JSON', [secret]), secret],
    [body, headers, 'whsec_!'],
  ] as const) {
    expect(() => webhooks.verify(text, sent, by)).toThrow(WebhookVerificationError);
  }
});

type Schemas = components['schemas'];
type Documented =
  | Schemas['CallWebhook']
  | Schemas['CampaignWebhook']
  | Schemas['EndpointDisabledWebhook']
  | Schemas['TestWebhookBody'];

it('each body of the document is an event, and each event has a body in the document', () => {
  expectTypeOf<Documented>().toExtend<WebhookEvent>();
  expectTypeOf<WebhookEvent['type']>().toEqualTypeOf<Documented['type']>();
});
