import { micros } from '@outdial/contracts';
import { describe, expect, test, vi } from 'vitest';
import { CONDUCTED } from '../conducted-calls.ts';
import { newReservationId } from '../ids.ts';
import { scheduled, taken, turnOf, type ScheduleStoreStage } from './schedule-store-stage.ts';

export function admissionCases(stage: () => ScheduleStoreStage): void {
  describe('a taken call', () => {
    test('that is admitted is queued, with its reservation and what was decided now', async () => {
      const { store, accepts, admitRow, find } = stage();
      const row = await scheduled(stage(), -2_000);
      const { call, turn } = await taken(stage(), row);
      const given = await admitRow(call, { conducted: CONDUCTED });
      const outcome = await store.admit(given);
      expect(outcome).toEqual({ kind: 'admitted', lateMs: expect.any(Number) });
      if (outcome.kind === 'admitted') expect(outcome.lateMs).toBeGreaterThanOrEqual(2_000);
      const { holdMicros, rate, conducted } = given;
      const queued = await find(row);
      expect(queued).toMatchObject({ status: 'queued', id: row.callId, holdMicros, rate, conducted });
      expect(queued?.schedule).toMatchObject({ ...row.schedule, attempt: 1, retryOf: null });
      expect(await accepts.voidReservation(given.reservationId)).toBe('used');
      expect(await accepts.countScheduled(row.accountId, 10)).toBe(0);
      await store.endTurn({ ...turn, notBeforeMs: 0 });
      await scheduled(stage(), 0);
      const next = await turnOf(stage(), row);
      expect([next.dueCalls, next.freeSlots]).toEqual([1, turn.freeSlots - 1]);
    });

    test('waits in the queue from its admission on, but never beyond its time', async () => {
      const { store, admitRow, find } = stage();
      const long = await scheduled(stage(), -120_000);
      const short = await scheduled(stage(), -1_000, { giveUpFromNowMs: 300_000 });
      const calls = await store.takeDue({ ...(await turnOf(stage(), long)), limit: 2 });
      const admittedAtMs = Date.now();
      for (const call of calls) await store.admit(await admitRow(call));
      const [first, second] = [await find(long), await find(short)];
      const expiries = [first, second].map((call) => (call?.status === 'queued' ? call.expiresAtMs : 0));
      expect(Math.abs((expiries[0] ?? 0) - admittedAtMs - long.queueTtlSeconds * 1_000)).toBeLessThan(60_000);
      expect(expiries[1]).toBe(short.schedule.giveUpAtMs);
    });

    test('is admitted once: a second reservation of it is not used', async () => {
      const { store, accepts, admitRow, find } = stage();
      const row = await scheduled(stage(), -1_000);
      const { call } = await taken(stage(), row);
      const rows = [await admitRow(call), await admitRow(call), await admitRow(call)];
      const outcomes = await Promise.all(rows.map((each) => store.admit(each)));
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['admitted', 'gone', 'gone']);
      const used = await Promise.all(rows.map(({ reservationId }) => accepts.voidReservation(reservationId)));
      expect(used.toSorted()).toEqual(['used', 'voided', 'voided']);
      expect((await find(row))?.status).toBe('queued');
    });

    test('is not admitted under a token of an earlier generation, nor under a reservation that was voided', async () => {
      const { store, accepts, admitRow, find, nextGeneration } = stage();
      const row = await scheduled(stage(), -1_000);
      const { call } = await taken(stage(), row);
      const [stale, voided] = [await admitRow(call), await admitRow(call)];
      await accepts.voidReservation(voided.reservationId);
      expect(await store.admit(voided)).toEqual({ kind: 'voided' });
      await nextGeneration();
      expect(await store.admit(stale)).toEqual({ kind: 'gate_stale' });
      expect((await find(row))?.status).toBe('scheduled');
      expect((await store.admit(await admitRow(call))).kind).toBe('admitted');
    });

    test('to a number on the do-not-call list of its account is not admitted, and ends `suppressed` when it is refused', async () => {
      const { store, accepts, admitRow, find, suppress } = stage();
      const row = await scheduled(stage(), -1_000);
      const { call } = await taken(stage(), row);
      await suppress(row);
      const given = await admitRow(call);
      expect(await store.admit(given)).toEqual({ kind: 'suppressed' });
      expect(await accepts.voidReservation(given.reservationId)).toBe('voided');
      expect((await find(row))?.status).toBe('scheduled');
      expect(await store.refuse({ ...call, reason: 'suppressed', code: 'suppressed' })).toBe(true);
      expect(await find(row)).toMatchObject({ status: 'ended', endedReason: 'suppressed', costMicros: micros(0) });
    });

    test('is decided by the first of an admission and a void, and both report the same', async () => {
      const { store, accepts, admitRow, find } = stage();
      const row = await scheduled(stage(), -1_000);
      for (let rest = 6; rest > 0; rest -= 1) await scheduled(stage(), -1_000);
      const calls = await store.takeDue({ ...(await turnOf(stage(), row)), limit: 7 });
      const stories = await Promise.all(
        calls.map(async (call, nth) => {
          const given = await admitRow(call);
          const admit = async () => (await store.admit(given)).kind;
          const actions = [admit, () => accepts.voidReservation(given.reservationId)];
          const outcomes = await Promise.all((nth % 2 === 0 ? actions : actions.toReversed()).map((act) => act()));
          return [...outcomes.toSorted(), (await find(call))?.status].join(' ');
        }),
      );
      for (const story of stories) expect(['admitted used queued', 'voided voided scheduled']).toContain(story);
    });

    test('that is put back may be taken at once by the next turn, and by the earlier one no longer', async () => {
      const { store, admitRow, find } = stage();
      const row = await scheduled(stage(), -1_000);
      const { turn, call } = await taken(stage(), row);
      await store.putBack({ calls: [call], waitingFor: 'capacity' });
      expect(await find(row)).toMatchObject({ status: 'scheduled', waitingFor: 'capacity' });
      await store.endTurn({ ...turn, notBeforeMs: 0 });
      const { turn: nextTurn, call: again } = await taken(stage(), row);
      expect([again.callId, nextTurn.freeSlots]).toEqual([call.callId, turn.freeSlots]);
      expect(again.admitToken).not.toBe(call.admitToken);
      expect(await store.admit(await admitRow(call))).toEqual({ kind: 'gone' });
      await store.putBack({ calls: [call], waitingFor: 'funds' });
      expect((await store.admit(await admitRow(again))).kind).toBe('admitted');
    });

    test('that is put back says what it waits for now', async () => {
      const { store, find } = stage();
      const row = await scheduled(stage(), -1_000);
      const seen: unknown[] = [];
      for (const waitingFor of ['funds', 'capacity', null] as const) {
        const { turn, call } = await taken(stage(), row);
        await store.putBack({ calls: [call], waitingFor });
        await store.endTurn({ ...turn, notBeforeMs: 0 });
        const stored = await find(row);
        seen.push(stored?.status === 'scheduled' ? stored.waitingFor : stored?.status);
      }
      expect(seen).toEqual(['funds', 'capacity', null]);
    });

    test('that is refused ends `not_permitted` at no cost, once', async () => {
      const { store, admitRow, find } = stage();
      const row = await scheduled(stage(), -1_000);
      const { call } = await taken(stage(), row);
      const refusal = { ...call, reason: 'not_permitted', code: 'destination_not_allowed' } as const;
      expect(await store.refuse({ ...refusal, admitToken: newReservationId() })).toBe(false);
      expect(await store.refuse(refusal)).toBe(true);
      expect(await store.refuse(refusal)).toBe(false);
      const ended = { status: 'ended', endedReason: 'not_permitted', costMicros: micros(0), holdMicros: micros(0) };
      expect(await find(row)).toMatchObject({ ...ended, sipCode: null });
      expect(await store.admit(await admitRow(call))).toEqual({ kind: 'gone' });
    });
  });

  describe('a scheduled call whose time is over', () => {
    test('ends `schedule_expired`, in batches, and others do not', async () => {
      const { store, find } = stage();
      const over = [];
      for (let nth = 0; nth < 3; nth += 1) over.push(await scheduled(stage(), -2_000, { giveUpFromNowMs: -1_000 }));
      const waiting = await scheduled(stage(), -1_000);
      // Calls of other accounts may be over as well.
      expect(await store.endExpired({ limit: 2 })).toBe(2);
      while ((await store.endExpired({ limit: 100 })) > 0);
      const ended = await Promise.all(over.map(find));
      for (const call of ended)
        expect(call).toMatchObject({ status: 'ended', endedReason: 'schedule_expired', costMicros: micros(0) });
      expect((await find(waiting))?.status).toBe('scheduled');
    });

    test('is not taken, and is not admitted if it was taken before', async () => {
      const { store, admitRow, find } = stage();
      const over = await scheduled(stage(), -2_000, { giveUpFromNowMs: -1_000 });
      const soon = await scheduled(stage(), -1_000, { giveUpFromNowMs: 5_000 });
      const turn = await turnOf(stage(), over);
      const calls = await store.takeDue({ ...turn, limit: 10 });
      expect(calls.map(({ callId }) => callId)).toEqual([soon.callId]);
      const [call] = calls;
      if (!call) return;
      const isOver = async () => {
        await store.endExpired({ limit: 100 });
        expect((await find(soon))?.status).toBe('ended');
      };
      await vi.waitFor(isOver, { timeout: 60_000, interval: 50 });
      expect(await store.admit(await admitRow(call))).toEqual({ kind: 'gone' });
    });
  });
}
