import { systemClock } from '@outdial/kernel';
import { describe, expect, test } from 'vitest';
import { RowRejected } from '../../ports/accept-store.ts';
import { newAccountId, newCallId, newReservationId } from '../ids.ts';
import type { AcceptStoreStage } from './accept-store-stage.ts';

const DIGEST = 'cd'.repeat(32);

export function scheduleCases(stage: () => AcceptStoreStage): void {
  describe('scheduling', () => {
    test('returns the call as it is stored, without a hold', async () => {
      const { store, scheduleRow, find } = stage();
      const retry = { maxAttempts: 2, on: ['busy'], afterSeconds: [60] } as const;
      const scheduledForMs = Date.now() + 60_000;
      const schedule = { scheduledForMs, giveUpAtMs: scheduledForMs + 60_000, retry };
      const given = await scheduleRow({ schedule });
      const outcome = await store.schedule(given);
      const call = await find(given);
      expect(outcome).toEqual({ kind: 'scheduled', call });
      const { callId: id, accountId, agentId, agentVersion, limits, variables, metadata } = given;
      const facts = { id, accountId, agentId, agentVersion, limits, variables, metadata };
      expect(call).toMatchObject({
        status: 'scheduled',
        holdMicros: 0n,
        conducted: null,
        waitingFor: 'time',
        ...facts,
      });
      expect(call?.schedule).toEqual({ ...schedule, attempt: 1, retryOf: null, nextCallId: null, campaignId: null });
    });

    test('keeps that a call waits for a slot', async () => {
      const { store, scheduleRow, find } = stage();
      const now = Date.now();
      const schedule = { scheduledForMs: now, giveUpAtMs: now + 600_000, retry: null };
      const given = await scheduleRow({ schedule, waitingFor: 'capacity' });
      await store.schedule(given);
      expect(await find(given)).toMatchObject({ status: 'scheduled', waitingFor: 'capacity' });
    });

    test('does not ask the gate: no generation makes it stale', async () => {
      const { store, scheduleRow, nextGeneration } = stage();
      const given = await scheduleRow();
      await nextGeneration();
      expect((await store.schedule(given)).kind).toBe('scheduled');
    });

    test('to a number on the do-not-call list of its account stores nothing', async () => {
      const { store, scheduleRow, find, suppress } = stage();
      const given = await scheduleRow();
      await suppress(given);
      expect(await store.schedule(given)).toEqual({ kind: 'suppressed' });
      expect(await find(given)).toBeNull();
      expect(await store.voidReservation(given.arbiterId)).toBe('voided');
    });

    test('to a number that has reached a cap is stored: the cap is asked when it is due', async () => {
      const { store, scheduleRow, reachCap } = stage();
      const given = await scheduleRow();
      await reachCap(given);
      expect((await store.schedule(given)).kind).toBe('scheduled');
    });

    test('may be due later than its time, while the hours of the callee are closed', async () => {
      const { store, scheduleRow, find } = stage();
      const scheduledForMs = Date.now() + 60_000;
      const schedule = { scheduledForMs, giveUpAtMs: scheduledForMs + 7_200_000, retry: null };
      const given = await scheduleRow({ schedule, waitingFor: 'window', dueAtMs: scheduledForMs + 3_600_000 });
      expect(await store.schedule(given)).toEqual({ kind: 'scheduled', call: await find(given) });
      expect(await find(given)).toMatchObject({ status: 'scheduled', waitingFor: 'window', schedule });
    });

    test('reports the first reason that applies, and leaves the stored call unchanged: late, voided, existing, suppressed', async () => {
      const { store, scheduleRow, find, suppress } = stage();
      const first = await scheduleRow();
      await store.schedule(first);
      await suppress(first);
      const again = { ...first, arbiterId: newReservationId(), metadata: { second: true } };
      expect(await store.schedule({ ...again, callId: newCallId() })).toEqual({ kind: 'suppressed' });
      expect(await store.schedule(again)).toEqual({ kind: 'call_exists' });
      await store.voidReservation(again.arbiterId);
      expect(await store.schedule(again)).toEqual({ kind: 'voided' });
      expect(await store.schedule({ ...again, sendByMs: systemClock.monotonicMs() - 1 })).toEqual({ kind: 'expired' });
      expect(await find(first)).toMatchObject({ metadata: first.metadata });
    });

    test('is decided by the first of it and a void, and both report the same', async () => {
      const { store, scheduleRow, find } = stage();
      const decided = await Promise.all(
        Array.from({ length: 20 }, async (_, nth) => {
          const given = await scheduleRow();
          const schedule = async () => (await store.schedule(given)).kind;
          const actions = [schedule, () => store.voidReservation(given.arbiterId)];
          const outcomes = await Promise.all((nth % 2 === 0 ? actions : actions.toReversed()).map((act) => act()));
          return [...outcomes.toSorted(), (await find(given)) !== null].join(' ');
        }),
      );
      for (const story of decided) expect(['scheduled used true', 'voided voided false']).toContain(story);
    });

    test('a row whose data is wrong fails alone', async () => {
      const { store, scheduleRow, find } = stage();
      const [good, bad] = [await scheduleRow(), await scheduleRow({ accountId: newAccountId() })];
      const [scheduled, rejected] = await Promise.allSettled([store.schedule(good), store.schedule(bad)]);
      expect(scheduled).toMatchObject({ status: 'fulfilled', value: { kind: 'scheduled' } });
      expect(rejected).toMatchObject({ status: 'rejected', reason: expect.any(RowRejected) });
      expect(await find(bad)).toBeNull();
    });

    test('under an idempotency key is found with the digest of its body', async () => {
      const { store, scheduleRow, find } = stage();
      const given = await scheduleRow({ idempotency: { key: 'order-8', bodyDigest: DIGEST } });
      await store.schedule(given);
      const { accountId, callId } = given;
      const found = await store.findIdempotent({ accountId, callId, sendByMs: Number.POSITIVE_INFINITY });
      expect(found).toEqual({ call: await find(given), bodyDigest: DIGEST });
    });

    test('is counted by account, up to the limit that is asked about', async () => {
      const { store, row, scheduleRow } = stage();
      const rows = await Promise.all(Array.from({ length: 3 }, () => scheduleRow()));
      await Promise.all(rows.map((each) => store.schedule(each)));
      const accountId = rows[0]?.accountId ?? newAccountId();
      await store.accept(await row({ accountId }));
      expect(await store.countScheduled(accountId, 100)).toBe(3);
      expect(await store.countScheduled(accountId, 2)).toBe(2);
      expect(await store.countScheduled(newAccountId(), 100)).toBe(0);
    });
  });
}
