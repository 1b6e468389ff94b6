import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { WEBHOOK_TYPES, webhookBodySchema, webhookEndpointIdSchema, webhookMessageIdSchema } from '@outdial/contracts';
import { webhooks, type WebhookEvent } from '@outdial/sdk';
import { createSecret, endpointDisabledBody, sign, testBody } from '@outdial/webhooks';
import { expect, test } from 'vitest';

const VERSIONS = new URL('../../../webhooks/src/body/versions/', import.meta.url);
const secret = createSecret();
const nowMs = Date.now();

/** The event in a body, signed as the service signs it. */
function verified(body: string): WebhookEvent {
  const messageId = webhookMessageIdSchema.parse(randomUUID());
  const headers = sign({ messageId, atMs: nowMs, body, secrets: [secret] });
  return webhooks.verify(body, { ...headers }, secret);
}

function sentBody(type: (typeof WEBHOOK_TYPES)[number]): string {
  if (type !== 'webhook.endpoint_disabled') return testBody(type, nowMs);
  const id = webhookEndpointIdSchema.parse(randomUUID());
  return endpointDisabledBody({ id, url: 'https://example.com/hooks', reason: 'gone', disabledAtMs: nowMs });
}

test.each(WEBHOOK_TYPES)('a %s as the service sends it is verified, and is what the contract says', (type) => {
  const event = verified(sentBody(type));
  expect(webhookBodySchema.parse(event)).toEqual(event);
  expect(event.type).toBe(type);
});

test.each(['2026-12-01.golden.json', '2026-12-01.campaign.golden.json'])(
  'the golden body %s is verified, and is what the contract says',
  async (name) => {
    const golden = await readFile(new URL(name, VERSIONS), 'utf8');
    const event = verified(golden);
    expect(event).toEqual(JSON.parse(golden));
    expect(webhookBodySchema.parse(event)).toEqual(event);
  },
);
