import type { Carrier, ClaimedCall, Conversations, DialRequest, Leg, LegEvent, Settlement } from '@outdial/calls';
import { trunkOf } from '@outdial/calls/testing';
import { callIdSchema, micros, type Turn } from '@outdial/contracts';
import { parseTraceParent, type TraceParent } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { beforeEach, describe, expect, it } from 'vitest';
import { agreeingStore, CANARIES, claimedCall } from '../test/claimed-call.ts';
import { memoryTracer } from '../test/memory-tracer.ts';
import { createCallTraces, type CallTraces } from './call-traces.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = (flags: string): TraceParent => {
  const read = parseTraceParent(`00-${TRACE}-00f067aa0ba902b7-${flags}`);
  if (read === null) throw new Error('the traceparent is valid');
  return read;
};

const ignore = () => undefined;
const begun = async () => ({ kind: 'begun', endRequested: false }) as const;
const written = async () => ({ kind: 'written', endRequested: false }) as const;
const enlarged = async () => ({ kind: 'enlarged' }) as const;

/** A carrier whose legs a test drives. */
function carrierOf(writeAheadDial: boolean) {
  const dialed: { readonly request: DialRequest; readonly emit: (event: LegEvent) => void }[] = [];
  const carrier: Carrier = {
    name: 'test',
    writeAheadDial,
    endOrphan: async () => 'gone',
    dial(request) {
      let listener: (event: LegEvent) => void = ignore;
      dialed.push({ request, emit: (event) => listener(event) });
      const leg: Leg = {
        media: null,
        listen: (given) => void (listener = given),
        hangUp: () => undefined,
        transfer: () => undefined,
      };
      return leg;
    },
  };
  return { carrier, dialed };
}

const requestOf = (call: ClaimedCall): DialRequest => ({
  callId: call.id,
  accountId: call.accountId,
  callerNumber: call.callerNumber,
  calleeNumber: call.calleeNumber,
  ringTimeoutMs: 30_000,
  maxDurationMs: 60_000,
  acquiredTrunk: null,
  mayDial: () => true,
  awaitDialPermit: async () => true,
  beginAttempt: async () => 'begun',
  recorded: async () => undefined,
  rightEndsAtMs: () => Infinity,
});

const ENDED: LegEvent = {
  kind: 'ended',
  end: { outcome: 'completed', by: 'callee', sipCode: 200, q850Cause: null, retryAfterSeconds: null },
};

const settlementOf = (call: ClaimedCall): Settlement => ({
  callId: call.id,
  epoch: call.epoch,
  reason: 'callee_hangup',
  neverDialled: false,
  answeredAtMs: 4_000,
  endedAtMs: 9_000,
  charge: { billableSeconds: 5, costMicros: micros(1_000) },
  sipCode: 200,
  answeredBy: 'human',
  transcript: [turn('callee', false)],
  summary: CANARIES.said,
  recordingKey: null,
});

function turn(role: Turn['role'], interrupted: boolean): Turn {
  return { role, text: CANARIES.said, start_ms: 0, end_ms: 10, source: 'stt', interrupted };
}

let memory: ReturnType<typeof memoryTracer>;
let traces: CallTraces;
beforeEach(() => {
  memory = memoryTracer();
  traces = createCallTraces(memory.traces, fakeClock());
});

const claim = (call: ClaimedCall, store = agreeingStore(call)) =>
  traces.driveStore(store).claim({ callId: call.id, workerId: 'w', leaseMs: 1_000, writeAheadDial: true });
const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;

describe('the spans of a call', () => {
  it('are its wait, each attempt with the codes of its responses, its talk and its end, below its request', async () => {
    const call = claimedCall(parent('01'));
    const { carrier, dialed } = carrierOf(true);
    await claim(call);
    const leg = traces.carrier(carrier).dial(requestOf(call));
    leg.listen(() => undefined);
    const [{ request, emit } = { request: requestOf(call), emit: ignore }] = dialed;
    for (const name of ['full', 'good']) {
      await request.beginAttempt(trunkOf({ name }), {});
      request.onResponse?.(name === 'full' ? 503 : 180);
    }
    request.onResponse?.(180);
    emit({ kind: 'ringing', sipCode: 180 });
    request.onResponse?.(200);
    emit({ kind: 'answered' });
    emit(ENDED);
    await traces.driveStore(agreeingStore(call)).settle(settlementOf(call));

    const spans = memory.spans();
    expect(spans.map(({ name }) => name)).toEqual([
      'call.queued',
      'call.dial',
      'call.dial',
      'call.talk',
      'call.settle',
    ]);
    for (const span of spans) {
      expect(span.spanContext().traceId).toBe(TRACE);
      expect(parentOf(span)).toBe('00f067aa0ba902b7');
      expect(span.attributes).toMatchObject({ 'outdial.call.id': call.id, 'outdial.account.id': call.accountId });
    }
    const [queued, full, good, talk, settle] = spans;
    expect(queued?.duration).toEqual([2, 500_000_000]);
    expect(full?.attributes).toMatchObject({ 'outdial.trunk': 'full', 'outdial.attempt': 1, 'sip.response_code': 503 });
    expect(good?.attributes).toMatchObject({ 'outdial.trunk': 'good', 'outdial.attempt': 2, 'outdial.leg': 'first' });
    expect(good?.events.map(({ attributes }) => attributes?.['sip.response_code'])).toEqual([180, 200]);
    expect(talk?.attributes).toMatchObject({ 'outdial.ended_by': 'callee' });
    expect(settle?.attributes).toMatchObject({ ended_reason: 'callee_hangup' });
  });

  it('take the codes from the leg if the carrier reports no responses', async () => {
    const call = claimedCall(parent('01'));
    const { carrier, dialed } = carrierOf(false);
    await claim(call);
    traces
      .carrier(carrier)
      .dial(requestOf(call))
      .listen(() => undefined);
    dialed[0]?.emit({ kind: 'ringing', sipCode: 183 });
    dialed[0]?.emit({ ...ENDED, end: { ...ENDED.end, outcome: 'busy', sipCode: 486 } });
    const [dial] = memory.spans('call.dial');
    expect(dial?.events.map(({ attributes }) => attributes?.['sip.response_code'])).toEqual([183, 486]);
    expect(dial?.attributes).toMatchObject({ 'outdial.leg.outcome': 'busy' });
    expect(memory.spans('call.talk')).toEqual([]);
  });

  it('have that of the second leg of a warm transfer, marked as such', async () => {
    const call = claimedCall(parent('01'));
    const { carrier, dialed } = carrierOf(false);
    await claim(call);
    const legId = callIdSchema.parse(crypto.randomUUID());
    const { id: callId, epoch, reservationId, calleeNumber, rate, holdMicros, limits } = call;
    const leg = { legId, reservationId, destination: 'Reception', calleeNumber, rate, holdMicros, limits };
    await traces
      .transferStore({ beginLeg: begun, beginLegAttempt: written, saveLeg: written, enlargeLegHold: enlarged })
      .beginLeg({ callId, epoch, leg, writeAheadDial: false, token: { generation: 1, walTimeline: '00000001' } });
    traces
      .carrier(carrier)
      .dial({ ...requestOf(call), callId: legId })
      .listen(() => undefined);
    dialed[0]?.emit({ kind: 'answered' });
    expect(memory.spans('call.dial')[0]?.attributes).toMatchObject({
      'outdial.leg': 'second',
      'outdial.call.id': call.id,
    });
    expect(memory.spans('call.talk')).toEqual([]);
  });

  it('note who answered and when the callee interrupted, and nothing that was said', async () => {
    const call = claimedCall(parent('01'));
    const { carrier, dialed } = carrierOf(false);
    await claim(call);
    let say: Parameters<ReturnType<Conversations['open']>['listen']>[0] = ignore;
    const conversations = traces.conversations({
      open: () => ({
        listen: (listener) => void (say = listener),
        answered: () => undefined,
        setOnHold: () => undefined,
        transferFailed: () => undefined,
        introduce: () => undefined,
        instruct: async () => 'taken',
        finish: async () => ({ transcript: null, summary: null, answeredBy: null, recordingKey: null }),
      }),
    });
    const leg = traces.carrier(carrier).dial(requestOf(call));
    leg.listen(() => undefined);
    if (call.settings.kind !== 'usable') throw new Error('the settings are usable');
    const { settings } = call.settings;
    const heard: string[] = [];
    const conversation = conversations.open({ callId: call.id, leg, settings, variables: call.variables });
    conversation.listen(({ kind }) => void heard.push(kind));
    expect(await conversation.instruct?.('Offer Friday.')).toBe('taken');
    dialed[0]?.emit({ kind: 'answered' });
    say({ kind: 'answered_by', answeredBy: 'human' });
    say({ kind: 'turn', turn: turn('agent', true) });
    say({ kind: 'turn', turn: turn('callee', true) });
    dialed[0]?.emit(ENDED);
    await traces.driveStore(agreeingStore(call)).settle(settlementOf(call));
    expect(memory.spans('call.talk')[0]?.events.map(({ name }) => name)).toEqual(['answered_by', 'barge_in']);
    expect(heard).toEqual(['answered_by', 'turn', 'turn']);
    const exported = JSON.stringify(
      memory
        .spans()
        .map(({ name, attributes, events, links, status }) => ({ name, attributes, events, links, status })),
    );
    for (const canary of Object.values(CANARIES)) expect(exported).not.toContain(canary);
  });

  it('are made of sampled calls alone; the leg of another call is the carrier’s own', async () => {
    const call = claimedCall(parent('00'));
    const { carrier, dialed } = carrierOf(false);
    await claim(call);
    traces.carrier(carrier).dial(requestOf(call));
    expect(dialed[0]?.request.onResponse).toBeUndefined();
    await traces.driveStore(agreeingStore(call)).settle(settlementOf(call));
    expect(memory.spans()).toEqual([]);
    expect(traces.traceIdOf(call.id)).toBeUndefined();
  });

  it('begin with the claim if nothing has traced the call yet', async () => {
    const call = claimedCall(null);
    await claim(call);
    const [root] = memory.spans('call.claim');
    const [queued] = memory.spans('call.queued');
    expect(root?.parentSpanContext).toBeUndefined();
    expect(parentOf(queued)).toBe(root?.spanContext().spanId);
    expect(traces.traceIdOf(call.id)).toBe(root?.spanContext().traceId);
  });

  it('are none, and the claim says so, if a trace that would begin with it is not sampled', async () => {
    const never = memoryTracer(0);
    const call = claimedCall(null);
    const store = agreeingStore(call);
    const asked: unknown[] = [];
    const noting = {
      ...store,
      claim: (input: Parameters<typeof store.claim>[0]) => {
        asked.push(input.traceParent);
        return store.claim(input);
      },
    };
    const claiming = { callId: call.id, workerId: 'w', leaseMs: 1_000, writeAheadDial: true };
    await createCallTraces(never.traces, fakeClock()).driveStore(noting).claim(claiming);
    expect(asked).toEqual([expect.stringMatching(/-00$/)]);
    expect(never.spans()).toEqual([]);
  });

  it('end once another worker owns the call, whose spans are its own', async () => {
    const call = claimedCall(parent('01'));
    const { carrier } = carrierOf(false);
    await claim(call);
    traces.carrier(carrier).dial(requestOf(call));
    const fenced = agreeingStore(call, { renewLease: async () => ({ kind: 'fenced' }) });
    await traces.driveStore(fenced).renewLease({ callId: call.id, epoch: call.epoch, leaseMs: 1_000 });
    expect(memory.spans('call.dial')).toHaveLength(1);
    await traces.driveStore(agreeingStore(call)).settle(settlementOf(call));
    expect(memory.spans('call.settle')).toEqual([]);
  });

  it('end once a draining worker hands the call over', async () => {
    const call = claimedCall(parent('01'));
    const { carrier, dialed } = carrierOf(false);
    await claim(call);
    const leg = traces.carrier(carrier).dial(requestOf(call));
    leg.listen(() => undefined);
    dialed[0]?.emit({ kind: 'answered' });
    await traces.driveStore(agreeingStore(call)).handOver({ callId: call.id, epoch: call.epoch });
    expect(memory.spans('call.talk')).toHaveLength(1);
  });

  it('have no message of an error, and each try to settle is one', async () => {
    const call = claimedCall(parent('01'));
    await claim(call);
    let tries = 0;
    const failing = agreeingStore(call, {
      settle: async (settlement) => {
        tries += 1;
        if (tries === 1) throw new Error(`the row of ${CANARIES.callee} was rejected`);
        return agreeingStore(call).settle(settlement);
      },
    });
    const store = traces.driveStore(failing);
    await expect(store.settle(settlementOf(call))).rejects.toThrow('rejected');
    await store.settle(settlementOf(call));
    const [failed, settled] = memory.spans('call.settle');
    expect([failed?.status.code, settled?.status.code]).toEqual([2, 0]);
    expect(JSON.stringify([failed?.attributes, failed?.status, failed?.events])).not.toContain(CANARIES.callee);
  });

  it('of a statement that settles several calls link to the spans of those that are sampled', async () => {
    const [sampled, other] = [claimedCall(parent('01')), claimedCall(parent('00'))];
    await claim(sampled);
    await claim(other);
    const batch = async () => {
      traces.observeCommit('settle_calls', [sampled.id, other.id])?.(undefined);
      return agreeingStore(sampled).settle(settlementOf(sampled));
    };
    await traces.driveStore(agreeingStore(sampled, { settle: batch })).settle(settlementOf(sampled));
    const [commit] = memory.spans('postgres.commit');
    const [settle] = memory.spans('call.settle');
    expect(commit?.links.map(({ context }) => context.spanId)).toEqual([settle?.spanContext().spanId]);
    expect(commit?.attributes).toMatchObject({ 'db.operation.batch.size': 2 });
    expect(traces.observeCommit('settle_calls', [other.id])).toBeUndefined();
  });
});
