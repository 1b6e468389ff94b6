import { calleePlace } from '@outdial/policies';
import { describe, expect, test, vi } from 'vitest';
import { begun, scheduled, taken, turnOf, type ScheduleStoreStage } from './schedule-store-stage.ts';

const idsOf = (calls: readonly { readonly callId: string }[]) => calls.map(({ callId }) => callId);

export function turnCases(stage: () => ScheduleStoreStage): void {
  describe('a turn', () => {
    test('takes due calls only, the longest due first', async () => {
      // A slow machine may take seconds between the two.
      const first = await scheduled(stage(), -60_000);
      const second = await scheduled(stage(), -600_000);
      await scheduled(stage(), 3_600_000);
      const turn = await turnOf(stage(), first);
      expect(turn.dueCalls).toBe(2);
      expect(idsOf(await stage().store.takeDue({ ...turn, limit: 10 }))).toEqual([second.callId, first.callId]);
    });

    test('takes a call as it was asked for', async () => {
      const place = calleePlace('+12025550143', 'America/Denver');
      const row = await scheduled(stage(), -1_000, { place });
      const { call } = await taken(stage(), row);
      const { callId, accountId, agentId, agentVersion, callerNumber, calleeNumber, limits, variables } = row;
      const facts = { callId, accountId, agentId, agentVersion, callerNumber, calleeNumber, limits, variables };
      const { requestId, schedule } = row;
      expect(call).toEqual({
        ...facts,
        requestId,
        admitToken: expect.any(String),
        scheduledForMs: schedule.scheduledForMs,
        giveUpAtMs: schedule.giveUpAtMs,
        calleeTimeZone: 'America/Denver',
      });
    });

    test('begins once, however many workers ask, and not before a call is due', async () => {
      const later = await scheduled(stage(), 3_600_000);
      expect(await begun(stage(), later)).toBeNull();
      const row = await scheduled(stage(), -1_000);
      const turns = await Promise.all(['first', 'second', 'third'].map((worker) => begun(stage(), row, worker)));
      expect(turns.filter((turn) => turn !== null)).toHaveLength(1);
      expect(await begun(stage(), row)).toBeNull();
    });

    test('begins when the time of a call has come', async () => {
      const row = await scheduled(stage(), 500);
      const turn = await vi.waitFor(() => turnOf(stage(), row), { timeout: 30_000, interval: 20 });
      expect(Date.now()).toBeGreaterThanOrEqual(row.schedule.scheduledForMs ?? 0);
      expect(turn.dueCalls).toBe(1);
    });

    test('takes no call that it, or another, has taken', async () => {
      const rows = [
        await scheduled(stage(), -3_000),
        await scheduled(stage(), -2_000),
        await scheduled(stage(), -1_000),
      ];
      const turn = await turnOf(stage(), rows[0] ?? (await scheduled(stage(), 0)));
      const { store } = stage();
      const takings = await Promise.all([1, 1, 1].map((limit) => store.takeDue({ ...turn, limit })));
      expect(idsOf(takings.flat()).toSorted()).toEqual(idsOf(rows).toSorted());
      await store.endTurn({ ...turn, notBeforeMs: 0 });
      await scheduled(stage(), 0);
      const next = await turnOf(stage(), turn);
      expect(next.dueCalls).toBe(1);
      expect(next.freeSlots).toBe(turn.freeSlots - 3);
    });

    test('that another one has followed takes nothing and ends nothing', async () => {
      const row = await scheduled(stage(), -1_000);
      const { store } = stage();
      const old = await turnOf(stage(), row);
      await store.endTurn({ ...old, notBeforeMs: 0 });
      const turn = await turnOf(stage(), row);
      expect(turn.epoch).toBeGreaterThan(old.epoch);
      expect(await store.takeDue({ ...old, limit: 10 })).toEqual([]);
      await store.endTurn({ ...old, notBeforeMs: 0 });
      expect(await begun(stage(), row)).toBeNull();
      expect(await store.takeDue({ ...turn, limit: 10 })).toHaveLength(1);
    });

    test('that has ended takes nothing', async () => {
      const row = await scheduled(stage(), -1_000);
      const turn = await turnOf(stage(), row);
      await stage().store.endTurn({ ...turn, notBeforeMs: 30_000 });
      expect(await stage().store.takeDue({ ...turn, limit: 10 })).toEqual([]);
    });

    test('may say that it is of no use to look again at once', async () => {
      const row = await scheduled(stage(), -1_000);
      const turn = await turnOf(stage(), row);
      await stage().store.endTurn({ ...turn, notBeforeMs: 30_000 });
      expect(await begun(stage(), row)).toBeNull();
    });

    test('does not miss a call that is scheduled during it', async () => {
      const row = await scheduled(stage(), -1_000);
      const turn = await turnOf(stage(), row);
      const during = await scheduled(stage(), -500);
      await stage().store.endTurn({ ...turn, notBeforeMs: 30_000 });
      const next = await turnOf(stage(), row);
      expect(idsOf(await stage().store.takeDue({ ...next, limit: 10 }))).toEqual([row.callId, during.callId]);
    });

    test('does not miss a call that is scheduled after it', async () => {
      const row = await scheduled(stage(), -1_000);
      const turn = await turnOf(stage(), row);
      await stage().store.endTurn({ ...turn, notBeforeMs: 30_000 });
      await scheduled(stage(), -500);
      expect((await turnOf(stage(), row)).dueCalls).toBe(2);
    });

    test('is not missing: nothing is to be repaired', async () => {
      const row = await scheduled(stage(), -1_000);
      const turn = await turnOf(stage(), row);
      expect(await stage().store.mendTurns()).toBe(0);
      await stage().store.endTurn({ ...turn, notBeforeMs: 30_000 });
      expect(await stage().store.mendTurns()).toBe(0);
    });
  });
}
