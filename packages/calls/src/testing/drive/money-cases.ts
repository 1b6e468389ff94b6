import { micros } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import { newCallId } from '../ids.ts';
import { claimed, fenceOf, settlementOf, takenOver, type DriveStoreStage } from './drive-store-stage.ts';

const costing = (costMicros: bigint) => ({ charge: { billableSeconds: 60, costMicros: micros(costMicros) } });

export function enlargeCases(stage: () => DriveStoreStage): void {
  describe('a larger hold', () => {
    test('is an absolute amount, and never lowers the hold', async () => {
      const call = await claimed(stage());
      const token = await stage().token();
      for (const holdMicros of [micros(call.holdMicros + 12_000n), micros(1)]) {
        expect(await stage().store.enlargeHold({ ...fenceOf(call), holdMicros, token })).toEqual({ kind: 'enlarged' });
      }
      expect((await takenOver(stage(), call)).holdMicros).toBe(call.holdMicros + 12_000n);
    });

    test('under a token of an earlier gate is not stored, even by the worker of the call', async () => {
      const call = await claimed(stage());
      const token = await stage().token();
      await stage().nextGeneration();
      const holdMicros = micros(call.holdMicros + 12_000n);
      for (const epoch of [call.epoch, call.epoch + 1]) {
        const outcome = await stage().store.enlargeHold({ callId: call.id, epoch, holdMicros, token });
        expect(outcome).toEqual({ kind: 'gate_stale' });
      }
      expect((await takenOver(stage(), call)).holdMicros).toBe(call.holdMicros);
    });
  });
}

export function settleCases(stage: () => DriveStoreStage): void {
  describe('a settlement', () => {
    test('charges the wallet and releases the reservation', async () => {
      const { store, balanceMicros } = stage();
      const { id: callId, accountId, reservationId, ...call } = await claimed(stage());
      const outcome = await store.settle(settlementOf({ id: callId, ...call }));
      const balance = { balanceMicros: balanceMicros - 17_000n, balanceVersion: expect.any(Number) };
      expect(outcome).toEqual({ kind: 'settled', release: { callId, accountId, reservationId, balance } });
    });

    test('may be repeated, even with other values: it is charged once', async () => {
      const call = await claimed(stage());
      const first = await stage().store.settle(settlementOf(call));
      const again = settlementOf(call, { ...costing(20_000n), reason: 'callee_hangup' });
      expect(await stage().store.settle(again)).toEqual(first);
      const together = await Promise.all(Array.from({ length: 5 }, () => stage().store.settle(settlementOf(call))));
      for (const outcome of together) expect(outcome).toEqual(first);
    });

    test('never costs more than the hold', async () => {
      const call = await claimed(stage());
      const outcome = await stage().store.settle(settlementOf(call, costing(call.holdMicros + 1n)));
      const balanceMicros = stage().balanceMicros - call.holdMicros;
      expect(outcome).toMatchObject({ kind: 'settled', release: { balance: { balanceMicros } } });
    });

    test('of an earlier owner is fenced and that of the later one counts, in either order', async () => {
      const call = await claimed(stage());
      const orphan = await takenOver(stage(), call);
      const { store } = stage();
      const [late, current, later] = [
        await store.settle(settlementOf(call)),
        await store.settle(settlementOf(orphan, { ...costing(5_000n), reason: 'worker_lost' })),
        await store.settle(settlementOf(call)),
      ];
      expect([late.kind, current.kind, later.kind]).toEqual(['fenced', 'settled', 'fenced']);
      const balanceMicros = stage().balanceMicros - 5_000n;
      expect(current).toMatchObject({ release: { balance: { balanceMicros } } });
    });
  });

  describe('the end of queued calls', () => {
    test('costs nothing, and releases the reservation with the unchanged balance', async () => {
      const { store, call, balanceMicros } = stage();
      const { id: callId, accountId, reservationId } = call;
      const [release, ...more] = await store.endQueued({ callIds: [newCallId(), callId], reason: 'cancelled' });
      const balance = { balanceMicros, balanceVersion: expect.any(Number) };
      expect(release).toEqual({ callId, accountId, reservationId, balance });
      expect(more).toEqual([]);
    });

    test('leaves out a call that was claimed, and one that has ended', async () => {
      const { store } = stage();
      const call = await claimed(stage());
      expect(await store.endQueued({ callIds: [call.id], reason: 'cancelled' })).toEqual([]);
      await store.settle(settlementOf(call));
      expect(await store.endQueued({ callIds: [call.id], reason: 'cancelled' })).toEqual([]);
    });

    test('leaves out all other calls', async () => {
      const { store, call } = stage();
      expect(await store.endQueued({ callIds: [newCallId()], reason: 'cancelled' })).toEqual([]);
      expect(await store.endQueued({ callIds: [call.id], reason: 'cancelled' })).toHaveLength(1);
    });
  });
}
