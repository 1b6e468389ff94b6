import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  callEventSchema,
  callSchema,
  CALL_WEBHOOK_TYPES,
  CAMPAIGN_WEBHOOK_TYPES,
  campaignSchema,
  webhookEndpointIdSchema,
  webhookMessageIdSchema,
  type CallWebhookType,
  type CampaignWebhookType,
  type Turn,
} from '@outdial/contracts';
import { describe, expect, it, test } from 'vitest';
import type { CallMessageFacts } from '../ports/webhook-store.ts';
import { MAX_BODY_BYTES } from './bounded.ts';
import { exampleCampaignFacts } from './example-campaign.ts';
import { exampleFacts } from './example-facts.ts';
import { bodyInVersion, formBody } from './form-body.ts';
import { inVersion } from './in-version.ts';
import { endpointDisabledBody, testBody } from './other-bodies.ts';

const AT_MS = Date.UTC(2026, 11, 4, 10, 11, 12, 345);

function expectCallWebhook(body: { readonly data: { readonly event: unknown; readonly call: unknown } }): void {
  expect(callEventSchema.parse(body.data.event)).toEqual(body.data.event);
  expect(callSchema.parse(body.data.call)).toEqual(body.data.call);
}

const messageId = webhookMessageIdSchema.parse(randomUUID());
const factsOf = (type: CallWebhookType): CallMessageFacts => ({ messageId, ...exampleFacts(type, AT_MS) });
const campaignFactsOf = (type: CampaignWebhookType) => ({ messageId, ...exampleCampaignFacts(type, AT_MS) });

describe('the body of a webhook about a call', () => {
  test.each(CALL_WEBHOOK_TYPES)('of type %s has the event, and the call as the interface shows it', (type) => {
    const body = JSON.parse(formBody(factsOf(type)));
    expectCallWebhook(body);
    expect(body).toMatchObject({ type, timestamp: '2026-12-04T10:11:12.345Z', data: { event: { id: '4711' } } });
  });

  it('has the shape of version 2026-12-01, byte for byte', async () => {
    const golden = await readFile(new URL('versions/2026-12-01.golden.json', import.meta.url), 'utf8');
    const body = formBody(factsOf('call.ended'));
    expect(`${JSON.stringify(JSON.parse(body), null, 2)}\n`).toBe(golden);
    expect(bodyInVersion(body, '2026-12-01')).toBe(body);
  });

  it('above 256 KiB comes without its transcript, and says so', () => {
    const { call, ...facts } = factsOf('call.ended');
    const turn: Turn = {
      role: 'callee',
      text: 'ü'.repeat(1_000),
      start_ms: 0,
      end_ms: 1,
      source: 'stt',
      interrupted: false,
    };
    const withTurns = (turns: number): CallMessageFacts => ({
      ...facts,
      call: call.status === 'ended' ? { ...call, transcript: Array.from({ length: turns }, () => turn) } : call,
    });
    expect(JSON.parse(formBody(withTurns(100))).data.omitted).toBe(undefined);
    const bounded = formBody(withTurns(200));
    expect(Buffer.byteLength(bounded)).toBeLessThanOrEqual(MAX_BODY_BYTES);
    expect(JSON.parse(bounded).data).toMatchObject({ omitted: ['call.transcript'], call: { transcript: null } });
  });
});

describe('the body of a webhook about a campaign', () => {
  test.each(CAMPAIGN_WEBHOOK_TYPES)('of type %s has the campaign as the interface shows it', (type) => {
    const body = JSON.parse(formBody(campaignFactsOf(type)));
    expect(body).toMatchObject({ type, timestamp: '2026-12-04T10:11:12.345Z' });
    expect(campaignSchema.parse(body.data.campaign)).toEqual(body.data.campaign);
    expect(JSON.parse(testBody(type, AT_MS))).toEqual({ ...body, test: true });
  });

  it('has the shape of version 2026-12-01, byte for byte', async () => {
    const golden = await readFile(new URL('versions/2026-12-01.campaign.golden.json', import.meta.url), 'utf8');
    const body = formBody(campaignFactsOf('campaign.completed'));
    expect(`${JSON.stringify(JSON.parse(body), null, 2)}\n`).toBe(golden);
    expect(bodyInVersion(body, '2026-12-01')).toBe(body);
  });
});

const steps = [
  { to: 'second', turn: (body: unknown) => ({ was: body, turned: 'to second' }) },
  { to: 'first', turn: (body: unknown) => ({ was: body, turned: 'to first' }) },
];
const turned = (version: string) => inVersion('{"a":1}', version, { newest: 'third', steps });

describe('a version of bodies', () => {
  it('is reached from the newest step by step', () => {
    expect(turned('third')).toBe('{"a":1}');
    expect(JSON.parse(turned('second'))).toEqual({ was: { a: 1 }, turned: 'to second' });
    expect(JSON.parse(turned('first'))).toEqual({ was: { was: { a: 1 }, turned: 'to second' }, turned: 'to first' });
    expect(() => turned('zeroth')).toThrow(RangeError);
  });
});

describe('a webhook that is not about a call of the account', () => {
  it('is marked as a test, with an example of its type', () => {
    const body = JSON.parse(testBody('call.answered', AT_MS));
    expectCallWebhook(body);
    expect(body).toMatchObject({ type: 'call.answered', test: true, data: { call: { status: 'in_progress' } } });
    expect(JSON.parse(testBody('webhook.test', AT_MS))).toEqual({
      type: 'webhook.test',
      timestamp: '2026-12-04T10:11:12.345Z',
      test: true,
      data: {},
    });
  });

  it('names the endpoint that was disabled, and why', () => {
    const id = webhookEndpointIdSchema.parse(randomUUID());
    const disabled = { id, url: 'https://example.com/hooks', reason: 'gone', disabledAtMs: AT_MS } as const;
    expect(JSON.parse(endpointDisabledBody(disabled))).toEqual({
      type: 'webhook.endpoint_disabled',
      timestamp: '2026-12-04T10:11:12.345Z',
      data: {
        endpoint: {
          id,
          url: 'https://example.com/hooks',
          disabled_reason: 'gone',
          disabled_at: '2026-12-04T10:11:12.345Z',
        },
      },
    });
  });
});
