import { ENDED_REASONS, micros } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { DriveWorld } from '../../test/drive-world.ts';
import { legEnd } from '../../test/fake-carrier.ts';
import type { LegReport } from './leg-report.ts';
import { settlementOf } from './settlement.ts';

const ANSWERED_AT_MS = 10_000;
const MAX_DURATION_SECONDS = 60;

async function settle(report: Partial<LegReport>, leaseRenewedAtMs = Infinity) {
  const world = new DriveWorld({ maxDurationSeconds: MAX_DURATION_SECONDS });
  const claim = await world.claim(60_000);
  if (claim.kind !== 'claimed') throw new Error('the first claim succeeds');
  const whole: LegReport = {
    end: legEnd({ outcome: 'completed' }),
    dialled: true,
    endedAtMs: ANSWERED_AT_MS + 30_000,
    answeredAtMs: ANSWERED_AT_MS,
    answeredBy: null,
    hangUp: null,
    optOut: null,
    conversation: null,
    usage: null,
    turnMetrics: [],
    holdMicros: micros(1_000_000),
    legs: [],
    ...report,
  };
  const fencingToken = { callId: claim.call.id, epoch: claim.call.epoch };
  return settlementOf({
    call: claim.call,
    fencingToken,
    times: { wallMsOf: (momentMs) => momentMs },
    report: whole,
    leaseRenewedAtMs,
  });
}

test('a process that was stopped for longer than the longest call bills no more than the longest call', async () => {
  const { endedAtMs, charge } = await settle({ endedAtMs: ANSWERED_AT_MS + 500_000 });
  expect(endedAtMs).toBe(ANSWERED_AT_MS + MAX_DURATION_SECONDS * 1_000);
  expect(charge.billableSeconds).toBe(60);
});

test('billing stops at our hang-up, or at the callee’s if that came first', async () => {
  const hangUp = { cause: 'agent_hangup', atMs: ANSWERED_AT_MS + 20_000 } as const;
  expect((await settle({ hangUp })).endedAtMs).toBe(ANSWERED_AT_MS + 20_000);
  expect((await settle({ hangUp, endedAtMs: ANSWERED_AT_MS + 19_000 })).endedAtMs).toBe(ANSWERED_AT_MS + 19_000);
});

test('a lost lease bills to its last renewal, but never to before the answer', async () => {
  const hangUp = { cause: 'lease_lost', atMs: ANSWERED_AT_MS + 50_000 } as const;
  expect((await settle({ hangUp }, ANSWERED_AT_MS + 15_000)).endedAtMs).toBe(ANSWERED_AT_MS + 15_000);
  expect((await settle({ hangUp }, 0)).endedAtMs).toBe(ANSWERED_AT_MS);
});

test('an answered call that the network dropped is charged until we learned of it, and is not retryable', async () => {
  const { reason, charge, endedAtMs } = await settle({ end: legEnd({ outcome: 'completed', by: 'carrier' }) });
  expect(reason).toBe('connection_lost');
  expect(ENDED_REASONS[reason]).toEqual({ retryable: false, billable: true, fault: 'carrier' });
  expect(endedAtMs).toBe(ANSWERED_AT_MS + 30_000);
  expect(charge).toEqual({ billableSeconds: 60, costMicros: 12_000n });
});

test('a call whose audio had to stop ends worker_lost, charged to the last renewal of its lease', async () => {
  const { reason, endedAtMs } = await settle(
    { end: legEnd({ outcome: 'silenced', by: 'us' }) },
    ANSWERED_AT_MS + 15_000,
  );
  expect(reason).toBe('worker_lost');
  expect(endedAtMs).toBe(ANSWERED_AT_MS + 15_000);
});

test('an unanswered call has no answered_by', async () => {
  const { answeredAtMs, answeredBy } = await settle({
    end: legEnd({ outcome: 'busy' }),
    answeredAtMs: null,
    answeredBy: 'human',
  });
  expect({ answeredAtMs, answeredBy }).toEqual({ answeredAtMs: null, answeredBy: null });
});

test('an answered call has the code 200, even if its leg never reported its end', async () => {
  expect((await settle({})).sipCode).toBe(200);
  expect((await settle({ answeredAtMs: null })).sipCode).toBeNull();
  expect((await settle({ end: legEnd({ outcome: 'completed', sipCode: 481 }) })).sipCode).toBe(481);
});

test('an unanswered call does not take its code from a late 2xx', async () => {
  const end = legEnd({ outcome: 'cancelled', by: 'us', sipCode: 200 });
  expect((await settle({ answeredAtMs: null, end })).sipCode).toBeNull();
  const refused = legEnd({ outcome: 'busy', sipCode: 486 });
  expect((await settle({ answeredAtMs: null, end: refused })).sipCode).toBe(486);
});

test('a rejected call carries the details from the carrier', async () => {
  const refusal = { reasonPhrase: 'Busy Here', warning: null, q850Text: 'user busy' };
  const end = legEnd({ outcome: 'busy', sipCode: 486, q850Cause: 17, refusal });
  expect((await settle({ answeredAtMs: null, end })).sip).toEqual({ code: 486, q850Cause: 17, ...refusal });
  expect((await settle({})).sip).toBeNull();
});

test('the charge never exceeds the hold', async () => {
  const { charge } = await settle({ holdMicros: micros(5) });
  expect(charge).toEqual({ billableSeconds: 60, costMicros: 5n });
});
