import { micros } from '@outdial/contracts';
import { describe, expect, test, vi } from 'vitest';
import { newReservationId } from '../ids.ts';
import { begun, scheduled, taken, turnOf, type ScheduleStoreStage } from './schedule-store-stage.ts';

const HOUR_MS = 3_600_000;

export function policyCases(stage: () => ScheduleStoreStage): void {
  describe('a taken call that is postponed', () => {
    test.each(['window', 'cap'] as const)(
      'waits for the %s, and no turn takes it before it is due',
      async (waitingFor) => {
        const { store, find } = stage();
        const row = await scheduled(stage(), -1_000);
        const { turn, call } = await taken(stage(), row);
        await store.postpone({ ...call, waitingFor, dueAtMs: Date.now() + HOUR_MS });
        expect(await find(row)).toMatchObject({ status: 'scheduled', waitingFor, schedule: row.schedule });
        await store.endTurn({ ...turn, notBeforeMs: 0 });
        expect(await begun(stage(), row)).toBeNull();
        await scheduled(stage(), -1_000);
        expect(await turnOf(stage(), row)).toMatchObject({ dueCalls: 1, freeSlots: turn.freeSlots });
      },
    );

    test('is taken when it is due, and admitted under its new token alone', async () => {
      const { store, admitRow, find } = stage();
      const row = await scheduled(stage(), -1_000);
      const { turn, call } = await taken(stage(), row);
      const dueAtMs = Date.now() + 500;
      await store.postpone({ ...call, waitingFor: 'window', dueAtMs });
      await store.endTurn({ ...turn, notBeforeMs: 0 });
      const { call: again } = await vi.waitFor(() => taken(stage(), row), { timeout: 30_000, interval: 20 });
      expect(Date.now()).toBeGreaterThanOrEqual(dueAtMs);
      expect(await store.admit(await admitRow(call))).toEqual({ kind: 'gone' });
      const admitted = await store.admit(await admitRow(again));
      expect(admitted).toEqual({ kind: 'admitted', lateMs: expect.any(Number) });
      // Late by its new time.
      if (admitted.kind === 'admitted') expect(admitted.lateMs).toBeLessThanOrEqual(Date.now() - dueAtMs + 1);
      expect((await find(row))?.status).toBe('queued');
    });

    test('under another token is not changed', async () => {
      const { store, admitRow, find } = stage();
      const row = await scheduled(stage(), -1_000);
      const { call } = await taken(stage(), row);
      const before = await find(row);
      const other = { callId: call.callId, admitToken: newReservationId() };
      await store.postpone({ ...other, waitingFor: 'cap', dueAtMs: Date.now() + HOUR_MS });
      expect(await find(row)).toEqual(before);
      expect((await store.admit(await admitRow(call))).kind).toBe('admitted');
    });

    test('cannot be admitted or refused by the turn that postponed it', async () => {
      const { store, accepts, admitRow, find } = stage();
      const row = await scheduled(stage(), -1_000);
      const { call } = await taken(stage(), row);
      await store.postpone({ ...call, waitingFor: 'window', dueAtMs: Date.now() });
      const given = await admitRow(call);
      expect(await store.admit(given)).toEqual({ kind: 'gone' });
      expect(await accepts.voidReservation(given.reservationId)).toBe('voided');
      expect(await store.refuse({ ...call, reason: 'outside_calling_window', code: 'outside_calling_window' })).toBe(
        false,
      );
      expect((await find(row))?.status).toBe('scheduled');
    });
  });

  describe('a taken call whose number has reached a cap', () => {
    test('is not admitted, leaves its reservation undecided, and ends at no cost if it is refused', async () => {
      const { store, accepts, admitRow, find, reachCap } = stage();
      const row = await scheduled(stage(), -1_000);
      const { call } = await taken(stage(), row);
      await reachCap(row);
      const given = await admitRow(call);
      expect(await store.admit(given)).toEqual({ kind: 'frequency_capped' });
      expect(await accepts.voidReservation(given.reservationId)).toBe('voided');
      expect((await find(row))?.status).toBe('scheduled');
      expect(await store.refuse({ ...call, reason: 'frequency_capped', code: 'frequency_capped' })).toBe(true);
      expect(await find(row)).toMatchObject({
        status: 'ended',
        endedReason: 'frequency_capped',
        costMicros: micros(0),
      });
    });

    test('that is on a do-not-call list too is suppressed', async () => {
      const { store, admitRow, suppress, reachCap } = stage();
      const row = await scheduled(stage(), -1_000);
      const { call } = await taken(stage(), row);
      await reachCap(row);
      await suppress(row);
      expect(await store.admit(await admitRow(call))).toEqual({ kind: 'suppressed' });
    });
  });
}
