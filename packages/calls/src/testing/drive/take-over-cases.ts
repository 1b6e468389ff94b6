import { describe, expect, test } from 'vitest';
import { newCallId } from '../ids.ts';
import { claimed, fenceOf, LEASE_MS, takenOver, type DriveStoreStage } from './drive-store-stage.ts';

export function takeOverCases(stage: () => DriveStoreStage): void {
  const take = (callId = stage().call.id, leaseMs = LEASE_MS) =>
    stage().store.takeOver({ workerId: 'second', leaseMs, limit: 5, callId });

  describe('a take-over', () => {
    test('leaves a queued call and a call under a lease alone', async () => {
      expect(await take()).toEqual([]);
      await claimed(stage());
      expect(await take()).toEqual([]);
    });

    test('of a call that was handed over succeeds at once, for one worker alone', async () => {
      const call = await claimed(stage());
      await stage().store.handOver(fenceOf(call));
      expect(await take(newCallId())).toEqual([]);
      const taken = await Promise.all([take(), take(), take()]);
      expect(taken.flat()).toMatchObject([{ id: call.id, epoch: call.epoch + 1 }]);
      expect(await take()).toEqual([]);
    });

    test.each([true, false])('returns what the driver stored (written ahead: %s)', async (writeAheadDial) => {
      const call = await claimed(stage(), writeAheadDial);
      const { store } = stage();
      const atMs = call.startedAtMs + 1_000;
      await store.saveDialog({ ...fenceOf(call), carrier: 'one', dialog: { leg: 7 } });
      await store.advance({ ...fenceOf(call), to: 'in_progress', atMs });
      await store.saveAnsweredBy({ ...fenceOf(call), answeredBy: 'human', atMs });
      const orphan = await takenOver(stage(), call);
      expect(orphan).toMatchObject({
        id: call.id,
        accountId: call.accountId,
        reservationId: call.reservationId,
        requestId: call.requestId,
        writeAheadDial,
        carrier: 'one',
        dialog: { leg: 7 },
        startedAtMs: call.startedAtMs,
        answeredAtMs: atMs,
        answeredBy: 'human',
      });
      expect(orphan.takenOverAtMs).toBeGreaterThanOrEqual(orphan.leaseRenewedAtMs);
    });

    test('of a call without a dialog says so', async () => {
      const orphan = await takenOver(stage(), await claimed(stage()));
      expect(orphan).toMatchObject({ dialog: null, carrier: null, answeredAtMs: null, answeredBy: null });
    });

    test('and the renewals after it do not move the moment at which the driver was last alive', async () => {
      const first = await takenOver(stage(), await claimed(stage()));
      const fence = fenceOf(first);
      expect(await stage().store.renewLease({ ...fence, leaseMs: LEASE_MS })).toMatchObject({ kind: 'written' });
      await stage().store.handOver(fence);
      const [second] = await take(first.id, 1);
      expect(second).toMatchObject({ epoch: first.epoch + 1, leaseRenewedAtMs: first.leaseRenewedAtMs });
    });
  });
}
