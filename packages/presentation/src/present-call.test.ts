import {
  accountIdSchema,
  agentIdSchema,
  callIdSchema,
  callSchema,
  CALL_STATUSES,
  e164Schema,
  micros,
  type CallBody,
  type UsageEntry,
} from '@outdial/contracts';
import type { Call, CallFacts, CallSchedule, ConductedCall, EndedCall, ScheduledCall } from '@outdial/calls';
import { describe, expect, it } from 'vitest';
import { presentCall } from './present-call.ts';

const CREATED_AT_MS = Date.UTC(2026, 0, 1, 12);
const id = '0c000000-0000-4000-8000-000000000001';

const facts: CallFacts = {
  id: callIdSchema.parse(id),
  accountId: accountIdSchema.parse(id),
  agentId: agentIdSchema.parse(id),
  agentVersion: 3,
  callerNumber: e164Schema.parse('+12025550101'),
  calleeNumber: e164Schema.parse('+12025550143'),
  currency: 'USD',
  rate: {
    prefix: '1',
    connectionFeeMicros: micros(500),
    pricePerMinuteMicros: micros(12_000),
    initialIncrementSeconds: 6,
    incrementSeconds: 6,
  },
  holdMicros: micros(24_500),
  limits: { maxDurationSeconds: 3_600, ringTimeoutSeconds: 60 },
  conducted: null,
  variables: { name: 'Ada' },
  metadata: { order: 7 },
  reviewNote: null,
  webhookUrl: null,
  createdAtMs: CREATED_AT_MS,
};

const known = { ...facts, usage: [], schedule: null };

const schedule: CallSchedule = {
  scheduledForMs: CREATED_AT_MS + 3_600_000,
  giveUpAtMs: CREATED_AT_MS + 90_000_000,
  retry: null,
  attempt: 1,
  retryOf: null,
  nextCallId: null,
  campaignId: null,
};

const scheduled: ScheduledCall = {
  ...known,
  status: 'scheduled',
  holdMicros: micros(0),
  schedule,
  waitingFor: 'time',
};

const ended: EndedCall = {
  ...known,
  status: 'ended',
  startedAtMs: CREATED_AT_MS + 1_000,
  answeredAtMs: CREATED_AT_MS + 4_000,
  endedAtMs: CREATED_AT_MS + 44_999,
  endedReason: 'callee_hangup',
  failure: null,
  answeredBy: 'human',
  sipCode: 200,
  sip: null,
  billableSeconds: 42,
  costMicros: micros(8_900),
  transcript: [],
  summary: 'The callee confirmed.',
  recordingStatus: 'available',
  analysisStatus: 'none',
  turnMetrics: [],
  analysis: null,
};

const calls: Record<Call['status'], Call> = {
  scheduled,
  queued: { ...known, status: 'queued', expiresAtMs: CREATED_AT_MS + 600_000 },
  dialing: { ...known, status: 'dialing', startedAtMs: ended.startedAtMs },
  ringing: { ...known, status: 'ringing', startedAtMs: ended.startedAtMs },
  in_progress: {
    ...known,
    status: 'in_progress',
    startedAtMs: ended.startedAtMs,
    answeredAtMs: CREATED_AT_MS + 4_000,
    answeredBy: null,
    sipCode: 200,
  },
  ended,
};

const times = ({ started_at, answered_at, ended_at }: CallBody) => [started_at, answered_at, ended_at];

describe('a call as clients see it', () => {
  it.each(CALL_STATUSES)('has the documented body while it is %s', (status) => {
    const body = presentCall(calls[status]);
    expect(callSchema.parse(body)).toEqual(body);
    expect(body.status).toBe(status);
  });

  it('shows a time once it is known, in UTC with milliseconds', () => {
    expect(times(presentCall(scheduled))).toEqual([null, null, null]);
    expect(times(presentCall(calls.queued))).toEqual([null, null, null]);
    expect(times(presentCall(calls.ringing))).toEqual(['2026-01-01T12:00:01.000Z', null, null]);
    expect(times(presentCall(ended))).toEqual([
      '2026-01-01T12:00:01.000Z',
      '2026-01-01T12:00:04.000Z',
      '2026-01-01T12:00:44.999Z',
    ]);
    expect(presentCall(ended).duration_seconds).toBe(43);
  });

  it('costs nothing before its end, and then the sum of its items, with talk time in minutes', () => {
    expect(presentCall(calls.in_progress)).toMatchObject({ cost: 0, cost_breakdown: { items: [], total: 0 } });
    expect(presentCall(ended)).toMatchObject({
      cost: 0.0089,
      cost_breakdown: {
        reserved: 0.0245,
        items: [
          { product: 'connection', unit_price: 0.0005, quantity: 1, cost: 0.0005 },
          { product: 'talk_time', unit_price: 0.012, quantity: 0.7, cost: 0.0084 },
        ],
        total: 0.0089,
      },
    });
  });

  it('shows what its models used and cost, and on an own credential only what they used', () => {
    const llm = { component: 'llm', provider: 'openai', model: 'gpt-5-mini' } as const;
    const stt = { component: 'stt', provider: 'deepgram', model: 'flux-general-en' } as const;
    const conducted: ConductedCall = {
      driver: 'cascade',
      models: [
        { ...llm, credentialId: 'ours', isOwn: false, isFallback: false },
        { ...stt, credentialId: 'theirs', isOwn: true, isFallback: false },
      ],
      rates: [{ ...llm, unit: 'output_text_token', priceMicrosPerMillion: micros(2_000_000) }],
      estimateMicrosPerMinute: micros(1_000),
    };
    const usage: UsageEntry[] = [
      { ...llm, unit: 'output_text_token', quantity: 1_001 },
      { ...stt, unit: 'second', quantity: 40.25 },
    ];
    const body = presentCall({ ...ended, conducted, usage, costMicros: micros(8_900 + 2_002) });
    expect(callSchema.parse(body)).toEqual(body);
    expect(body.usage.map(({ unit, quantity, own_credential: own }) => [unit, quantity, own])).toEqual([
      ['output_text_token', 1_001, false],
      ['second', 40.25, true],
    ]);
    const { items, total } = body.cost_breakdown;
    expect(items.slice(2)).toEqual([
      {
        product: 'llm',
        provider: 'openai',
        model: 'gpt-5-mini',
        unit: 'output_text_token',
        unit_price: 2,
        quantity: 1_001,
        cost: 0.002002,
      },
      {
        product: 'stt',
        provider: 'deepgram',
        model: 'flux-general-en',
        unit: 'second',
        unit_price: 0,
        quantity: 40.25,
        cost: 0,
      },
    ]);
    expect(total).toBe(0.010902);
  });

  it('says when it is dialed and what it waits for, with nothing reserved', () => {
    expect(presentCall(scheduled)).toMatchObject({
      scheduled_for: '2026-01-01T13:00:00.000Z',
      expires_at: '2026-01-02T13:00:00.000Z',
      waiting_for: 'time',
      attempt: 1,
      recording_status: 'pending',
      cost_breakdown: { reserved: 0, items: [], total: 0 },
    });
    expect(presentCall({ ...scheduled, waitingFor: null }).waiting_for).toBe(null);
  });

  it('without a schedule is the first attempt and has no times of a schedule', () => {
    expect(presentCall(calls.queued)).toMatchObject({
      scheduled_for: null,
      expires_at: null,
      waiting_for: null,
      attempt: 1,
      retry_of: null,
      next_call_id: null,
      campaign_id: null,
    });
  });

  it('names the call that it retries and the one that retries it', () => {
    const retryOf = callIdSchema.parse('0c000000-0000-4000-8000-000000000002');
    const nextCallId = callIdSchema.parse('0c000000-0000-4000-8000-000000000003');
    const body = presentCall({ ...ended, schedule: { ...schedule, attempt: 2, retryOf, nextCallId } });
    expect(callSchema.parse(body)).toMatchObject({ attempt: 2, retry_of: retryOf, next_call_id: nextCallId });
    expect(body.waiting_for).toBe(null);
  });

  it('that ended before it was admitted was never dialed and costs nothing', () => {
    const call: EndedCall = {
      ...ended,
      schedule,
      holdMicros: micros(0),
      startedAtMs: ended.endedAtMs,
      answeredAtMs: null,
      endedReason: 'cancelled',
      answeredBy: null,
      sipCode: null,
      billableSeconds: 0,
      costMicros: micros(0),
      summary: null,
      recordingStatus: 'none',
    };
    const body = presentCall(call);
    expect(callSchema.parse(body)).toMatchObject({
      duration_seconds: 0,
      cost: 0,
      cost_breakdown: { reserved: 0, items: [], total: 0 },
    });
  });

  it('says why its agent failed, and what the carrier said about a rejection', () => {
    const sip = { code: 486, reasonPhrase: 'Busy Here', warning: null, q850Cause: 17, q850Text: 'User busy' };
    const failure = { code: 'text_unspeakable', field: 'lines.2' } as const;
    const body = presentCall({ ...ended, sip, failure });
    expect(callSchema.parse(body)).toMatchObject({
      sip: { code: 486, reason_phrase: 'Busy Here', warning: null, q850_cause: 17, q850_text: 'User busy' },
      failure: { ...failure, message: expect.stringMatching(/\w/) },
    });
  });
});
