import { describe, expect, test } from 'vitest';
import type { ClaimOutcome } from '../../ports/drive-store.ts';
import { newCallId } from '../ids.ts';
import { claimed, fenceOf, LEASE_MS, settlementOf, takenOver, type DriveStoreStage } from './drive-store-stage.ts';

const claim = ({ store, call }: DriveStoreStage, callId = call.id): Promise<ClaimOutcome> =>
  store.claim({ callId, workerId: 'second', leaseMs: LEASE_MS, writeAheadDial: false });

export function claimCases(stage: () => DriveStoreStage): void {
  describe('a claim', () => {
    test('raises the epoch and returns the call as it was accepted', async () => {
      const { id, accountId, reservationId, holdMicros } = stage().call;
      const call = await claimed(stage());
      expect(call).toMatchObject({ id, accountId, reservationId, holdMicros, epoch: 1 });
      expect(call.startedAtMs).toBeGreaterThan(call.createdAtMs);
    });

    test('of many at once has one winner; the others learn how long the lease lasts', async () => {
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => claim(stage())));
      expect(outcomes.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
      const forMs = outcomes.flatMap((outcome) => (outcome.kind === 'leased' ? [outcome.forMs] : []));
      expect(forMs).toHaveLength(9);
      for (const each of forMs) {
        expect(each).toBeGreaterThan(0);
        expect(each).toBeLessThanOrEqual(LEASE_MS);
      }
    });

    test('of an unknown call is unknown', async () => {
      expect(await claim(stage(), newCallId())).toEqual({ kind: 'unknown' });
    });

    test('of a call whose lease is over is rejected: it may be taken over, never dialed again', async () => {
      await stage().store.handOver(fenceOf(await claimed(stage())));
      expect(await claim(stage())).toEqual({ kind: 'lease_over' });
    });

    test('of a call that was taken over is leased', async () => {
      await takenOver(stage(), await claimed(stage()));
      expect(await claim(stage())).toMatchObject({ kind: 'leased' });
    });

    test('of an ended call is ended, before any other reason', async () => {
      const call = await claimed(stage());
      await stage().store.settle(settlementOf(call));
      await stage().pauseDialing();
      expect(await claim(stage())).toEqual({ kind: 'ended' });
    });

    test('reports the first reason that applies: end requested, time over, number suppressed, hours closed, dialing paused', async () => {
      await stage().reachCap();
      await stage().pauseDialing();
      expect(await claim(stage())).toEqual({ kind: 'paused' });
      await stage().closeHours();
      expect(await claim(stage())).toEqual({ kind: 'refused', reason: 'outside_calling_window' });
      await stage().suppress();
      expect(await claim(stage())).toEqual({ kind: 'refused', reason: 'suppressed' });
      await stage().expireInQueue();
      expect(await claim(stage())).toEqual({ kind: 'refused', reason: 'queue_expired' });
      await stage().requestEnd();
      expect(await claim(stage())).toEqual({ kind: 'refused', reason: 'cancelled' });
    });

    test('that is refused leaves the call queued', async () => {
      const { store, call, expireInQueue } = stage();
      await expireInQueue();
      await claim(stage());
      expect(await store.endQueued({ callIds: [call.id], reason: 'queue_expired' })).toHaveLength(1);
    });

    test('of a suppressed number leaves the call queued, to be ended at no cost', async () => {
      const { store, call, suppress, balanceMicros } = stage();
      await suppress();
      expect(await claim(stage())).toEqual({ kind: 'refused', reason: 'suppressed' });
      const [release] = await store.endQueued({ callIds: [call.id], reason: 'suppressed' });
      expect(release?.balance?.balanceMicros).toBe(balanceMicros);
      expect(await claim(stage())).toEqual({ kind: 'ended' });
    });

    test.each([
      ['closes the hours of the callee', 'closeHours', 'outside_calling_window'],
      ['caps its number', 'reachCap', 'frequency_capped'],
    ] as const)(
      'while a calling policy %s leaves the call queued, to be ended at no cost',
      async (_name, act, reason) => {
        const { store, call, balanceMicros } = stage();
        await stage()[act]();
        expect(await claim(stage())).toEqual({ kind: 'refused', reason });
        const [release] = await store.endQueued({ callIds: [call.id], reason });
        expect(release?.balance?.balanceMicros).toBe(balanceMicros);
        expect(await claim(stage())).toEqual({ kind: 'ended' });
      },
    );
  });
}

export function reclaimCases(stage: () => DriveStoreStage): void {
  describe('a claim that a pause delayed', () => {
    test('may be dialed as after the first claim, and its times start again', async () => {
      const call = await claimed(stage());
      expect(await stage().store.reclaim({ ...fenceOf(call), leaseMs: LEASE_MS })).toEqual({ kind: 'claimed' });
      const orphan = await takenOver(stage(), call);
      expect(orphan.startedAtMs).toBeGreaterThanOrEqual(call.startedAtMs);
    });

    test('is checked as the first: end requested, time over, number suppressed, hours closed, dialing paused', async () => {
      const call = await claimed(stage());
      const reclaim = () => stage().store.reclaim({ ...fenceOf(call), leaseMs: LEASE_MS });
      await stage().reachCap();
      expect(await reclaim()).toEqual({ kind: 'refused', reason: 'frequency_capped' });
      await stage().pauseDialing();
      expect(await reclaim()).toEqual({ kind: 'paused' });
      await stage().closeHours();
      expect(await reclaim()).toEqual({ kind: 'refused', reason: 'outside_calling_window' });
      await stage().suppress();
      expect(await reclaim()).toEqual({ kind: 'refused', reason: 'suppressed' });
      await stage().expireInQueue();
      expect(await reclaim()).toEqual({ kind: 'refused', reason: 'queue_expired' });
      await stage().requestEnd();
      expect(await reclaim()).toEqual({ kind: 'refused', reason: 'cancelled' });
    });

    test('is fenced once the call was answered', async () => {
      const call = await claimed(stage());
      await stage().store.advance({ ...fenceOf(call), to: 'in_progress', atMs: call.startedAtMs });
      expect(await stage().store.reclaim({ ...fenceOf(call), leaseMs: LEASE_MS })).toEqual({ kind: 'fenced' });
    });

    test('is fenced once the call was handed over', async () => {
      const call = await claimed(stage());
      await stage().store.handOver(fenceOf(call));
      expect(await stage().store.reclaim({ ...fenceOf(call), leaseMs: LEASE_MS })).toEqual({ kind: 'fenced' });
    });
  });
}
