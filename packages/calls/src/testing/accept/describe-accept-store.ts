import { e164Schema } from '@outdial/contracts';
import { DeadlineExceeded, systemClock } from '@outdial/kernel';
import { describe, expect, test } from 'vitest';
import { RowRejected, type AcceptRow } from '../../ports/accept-store.ts';
import { CONDUCTED } from '../conducted-calls.ts';
import { newAccountId, newCallId, newReservationId } from '../ids.ts';
import { stageForEach } from '../stage-for-each.ts';
import type { AcceptStoreStage } from './accept-store-stage.ts';
import { scheduleCases } from './schedule-cases.ts';

const DIGEST = 'ab'.repeat(32);
const LATER = Number.POSITIVE_INFINITY;

/** What every `AcceptStore` promises. */
export function describeAcceptStore(name: string, open: () => Promise<AcceptStoreStage>): void {
  describe(`an accept store: ${name}`, () => {
    const stage = stageForEach(open);
    acceptCases(stage);
    reservationCases(stage);
    idempotencyCases(stage);
    scheduleCases(stage);
  });
}

function acceptCases(stage: () => AcceptStoreStage): void {
  describe('accepting', () => {
    test('returns the call as it is stored, with its time in the queue', async () => {
      const { store, row, find } = stage();
      const given = await row({ queueTtlSeconds: 90 });
      const outcome = await store.accept(given);
      const call = await find(given);
      expect(outcome).toEqual({ kind: 'accepted', call });
      const { callId: id, accountId, agentId, holdMicros, rate, limits, variables, metadata } = given;
      const facts = { id, accountId, agentId, holdMicros, rate, limits, variables, metadata };
      expect(call).toMatchObject({ status: 'queued', reviewNote: null, schedule: null, ...facts });
      if (call?.status === 'queued') expect(call.expiresAtMs - call.createdAtMs).toBe(90_000);
    });

    test('keeps the models of a conducted call as they were pinned', async () => {
      const { store, row, find } = stage();
      const given = await row({ conducted: CONDUCTED });
      await store.accept(given);
      expect(await find(given)).toMatchObject({ conducted: CONDUCTED, usage: [] });
    });

    test('keeps when it is retried, and when it is given up', async () => {
      const { store, row, find } = stage();
      const retry = { maxAttempts: 3, on: ['busy', 'no_answer'], afterSeconds: [60, 900] } as const;
      const schedule = { scheduledForMs: null, giveUpAtMs: Date.now() + 3_600_000, retry };
      const given = await row({ schedule });
      const outcome = await store.accept(given);
      const call = await find(given);
      expect(outcome).toEqual({ kind: 'accepted', call });
      expect(call?.schedule).toEqual({ ...schedule, attempt: 1, retryOf: null, nextCallId: null, campaignId: null });
    });

    test('of a row past its send deadline is never sent', async () => {
      const { store, row, find } = stage();
      const late = await row({ sendByMs: systemClock.monotonicMs() - 1 });
      expect(await store.accept(late)).toEqual({ kind: 'expired' });
      expect(await find(late)).toBeNull();
    });

    test('under a token of an earlier generation, or of another WAL timeline, is rejected', async () => {
      const { store, row, find, nextGeneration } = stage();
      const given = await row();
      const foreign = { ...given, token: { ...given.token, walTimeline: '0000FFFF' } };
      expect(await store.accept(foreign)).toEqual({ kind: 'gate_stale' });
      await nextGeneration();
      expect(await store.accept(given)).toEqual({ kind: 'gate_stale' });
      expect(await find(given)).toBeNull();
    });

    test('with the id of a stored call leaves that call unchanged, and the reservation undecided', async () => {
      const { store, row, find } = stage();
      const first = await row();
      const changes = { callId: first.callId, accountId: first.accountId, metadata: { second: true } };
      const second = await row(changes);
      await store.accept(first);
      expect(await store.accept(second)).toEqual({ kind: 'call_exists' });
      expect(await find(first)).toMatchObject({ metadata: first.metadata });
      expect(await store.voidReservation(first.reservationId)).toBe('used');
      expect(await store.voidReservation(second.reservationId)).toBe('voided');
    });

    test('one id many times at once creates exactly one call', async () => {
      const { store, row } = stage();
      const first = await row();
      const rows = Array.from({ length: 10 }, () => ({ ...first, reservationId: newReservationId() }));
      const outcomes = await Promise.all(rows.map((each) => store.accept(each)));
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([
        'accepted',
        ...Array.from({ length: 9 }, () => 'call_exists'),
      ]);
    });

    test('a row whose data is wrong fails alone', async () => {
      const { store, row, find } = stage();
      const [good, bad] = [await row(), await row({ accountId: newAccountId() })];
      const [accepted, rejected] = await Promise.allSettled([store.accept(good), store.accept(bad)]);
      expect(accepted).toMatchObject({ status: 'fulfilled', value: { kind: 'accepted' } });
      expect(rejected).toMatchObject({ status: 'rejected', reason: expect.any(RowRejected) });
      expect(await find(bad)).toBeNull();
    });

    test('to a number on the do-not-call list of its account stores nothing, and leaves the reservation undecided', async () => {
      const { store, row, find, suppress } = stage();
      const [given, other] = [await row(), await row({ calleeNumber: e164Schema.parse('+12025550142') })];
      await suppress(given);
      const outcomes = await Promise.all([given, other].map((each) => store.accept(each)));
      expect(outcomes.map(({ kind }) => kind)).toEqual(['suppressed', 'accepted']);
      expect(await find(given)).toBeNull();
      expect(await store.voidReservation(given.reservationId)).toBe('voided');
    });

    test('to a number that has reached a cap stores nothing, and leaves the reservation undecided', async () => {
      const { store, row, find, reachCap } = stage();
      const [given, other] = [await row(), await row({ calleeNumber: e164Schema.parse('+12025550142') })];
      await reachCap(given);
      const outcomes = await Promise.all([given, other].map((each) => store.accept(each)));
      expect(outcomes.map(({ kind }) => kind)).toEqual(['frequency_capped', 'accepted']);
      expect(await find(given)).toBeNull();
      expect(await store.voidReservation(given.reservationId)).toBe('voided');
    });

    test('says until when a number is capped: null for any other', async () => {
      const { store, row, reachCap } = stage();
      const given = await row();
      expect(await store.cappedUntilMs(given.accountId, given.calleeNumber)).toBeNull();
      await reachCap(given);
      const untilMs = (await store.cappedUntilMs(given.accountId, given.calleeNumber)) ?? 0;
      expect(Math.abs(untilMs - Date.now() - 3_600_000)).toBeLessThan(120_000);
      expect(await store.cappedUntilMs(given.accountId, e164Schema.parse('+12025550142'))).toBeNull();
    });

    test('reports the first reason that applies: late, stale, voided, existing, suppressed, capped', async () => {
      const { store, row, nextGeneration, suppress, reachCap } = stage();
      const stored = await row();
      await store.accept(stored);
      const again = { ...stored, reservationId: newReservationId() };
      await reachCap(stored);
      expect(await store.accept({ ...again, callId: newCallId() })).toEqual({ kind: 'frequency_capped' });
      await suppress(stored);
      expect(await store.accept({ ...again, callId: newCallId() })).toEqual({ kind: 'suppressed' });
      expect(await store.accept(again)).toEqual({ kind: 'call_exists' });
      await store.voidReservation(again.reservationId);
      expect(await store.accept(again)).toEqual({ kind: 'voided' });
      await nextGeneration();
      expect(await store.accept(again)).toEqual({ kind: 'gate_stale' });
      expect(await store.accept({ ...again, sendByMs: systemClock.monotonicMs() - 1 })).toEqual({ kind: 'expired' });
    });
  });
}

function reservationCases(stage: () => AcceptStoreStage): void {
  describe('a reservation', () => {
    test('that was voided never becomes a call', async () => {
      const { store, row, find } = stage();
      const given = await row();
      expect(await store.voidReservation(given.reservationId)).toBe('voided');
      expect(await store.voidReservation(given.reservationId)).toBe('voided');
      expect(await store.accept(given)).toEqual({ kind: 'voided' });
      expect(await find(given)).toBeNull();
    });

    test('that has become a call cannot be voided, and does not become another', async () => {
      const { store, row, find } = stage();
      const given = await row();
      await store.accept(given);
      expect(await store.voidReservation(given.reservationId)).toBe('used');
      const other = { ...given, callId: newCallId() };
      expect(await store.accept(other)).toEqual({ kind: 'voided' });
      expect([await find(given), await find(other)]).toMatchObject([{ id: given.callId }, null]);
    });

    test('is decided by the first of an accept and a void, and both report the same', async () => {
      const { store, row, find } = stage();
      const decided = await Promise.all(
        Array.from({ length: 20 }, async (_, nth) => {
          const given = await row();
          const actions = [() => store.accept(given), () => store.voidReservation(given.reservationId)];
          const outcomes = await Promise.all((nth % 2 === 0 ? actions : actions.toReversed()).map((act) => act()));
          return [...outcomes.map(outcomeName).toSorted(), (await find(given)) !== null].join(' ');
        }),
      );
      for (const story of decided) expect(['accepted used true', 'voided voided false']).toContain(story);
    });
  });
}

function idempotencyCases(stage: () => AcceptStoreStage): void {
  describe('a call with an idempotency key', () => {
    test('is found with the digest of its body, and only by its own account', async () => {
      const { store, row, find } = stage();
      const given = await row({ idempotency: { key: 'order-7', bodyDigest: DIGEST } });
      expect(await look(stage(), given)).toBeNull();
      await store.accept(given);
      expect(await look(stage(), given)).toEqual({ call: await find(given), bodyDigest: DIGEST });
      expect(await look(stage(), { ...given, accountId: newAccountId() })).toBeNull();
    });

    test('is not a call without a key', async () => {
      const { store, row } = stage();
      const given = await row();
      await store.accept(given);
      expect(await look(stage(), given)).toBeNull();
    });

    test('is not looked up past the deadline of the question', async () => {
      const { store, row } = stage();
      const { accountId, callId } = await row();
      const question = { accountId, callId, sendByMs: systemClock.monotonicMs() - 1 };
      await expect(store.findIdempotent(question)).rejects.toBeInstanceOf(DeadlineExceeded);
    });
  });
}

const look = ({ store }: AcceptStoreStage, { accountId, callId }: Pick<AcceptRow, 'accountId' | 'callId'>) =>
  store.findIdempotent({ accountId, callId, sendByMs: LATER });

const outcomeName = (outcome: string | { readonly kind: string }) =>
  typeof outcome === 'string' ? outcome : outcome.kind;
