import { micros } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import type { FencingToken } from '../../ports/drive-store.ts';
import { newCallId } from '../ids.ts';
import { claimed, fenceOf, LEASE_MS, settlementOf, takenOver, type DriveStoreStage } from './drive-store-stage.ts';

type Write = (stage: DriveStoreStage, fence: FencingToken) => Promise<{ readonly kind: string }>;

/** Every write of a driver. */
const WRITES: readonly (readonly [name: string, write: Write])[] = [
  ['reclaim', ({ store }, fence) => store.reclaim({ ...fence, leaseMs: LEASE_MS })],
  ['saveDialog', ({ store }, fence) => store.saveDialog({ ...fence, carrier: 'late', dialog: { late: true } })],
  ['advance to ringing', ({ store }, fence) => store.advance({ ...fence, to: 'ringing', atMs: 0, sipCode: 180 })],
  ['advance to in_progress', ({ store }, fence) => store.advance({ ...fence, to: 'in_progress', atMs: 0 })],
  ['saveAnsweredBy', ({ store }, fence) => store.saveAnsweredBy({ ...fence, answeredBy: 'human', atMs: 0 })],
  [
    'saveEvent',
    ({ store }, fence) => store.saveEvent({ ...fence, type: 'provider_failed', data: { component: 'llm' }, atMs: 0 }),
  ],
  ['renewLease', ({ store }, fence) => store.renewLease({ ...fence, leaseMs: LEASE_MS })],
  ['handOver', ({ store }, fence) => store.handOver(fence)],
  [
    'enlargeHold',
    async ({ store, token }, fence) => store.enlargeHold({ ...fence, holdMicros: micros(1e9), token: await token() }),
  ],
  ['settle', ({ store }, { callId: id, epoch }) => store.settle(settlementOf({ id, epoch, startedAtMs: 0 }))],
];

export function fencingCases(stage: () => DriveStoreStage): void {
  describe.each(WRITES)('%s', (_, write) => {
    test('of an earlier owner is fenced, and changes nothing', async () => {
      const call = await claimed(stage());
      const orphan = await takenOver(stage(), call);
      expect(await write(stage(), fenceOf(call))).toEqual({ kind: 'fenced' });
      const kept = { dialog: null, carrier: null, answeredAtMs: null, answeredBy: null };
      expect(await nextOwner(stage(), orphan.epoch)).toMatchObject({ ...kept, epoch: 3, holdMicros: call.holdMicros });
    });

    test('with an epoch that no worker has is fenced', async () => {
      const call = await claimed(stage());
      expect(await write(stage(), { callId: call.id, epoch: call.epoch + 1 })).toEqual({ kind: 'fenced' });
    });

    test('before the claim is fenced', async () => {
      expect(await write(stage(), { callId: stage().call.id, epoch: 0 })).toEqual({ kind: 'fenced' });
    });

    test('to an unknown call is fenced', async () => {
      const { epoch } = await claimed(stage());
      expect(await write(stage(), { callId: newCallId(), epoch })).toEqual({ kind: 'fenced' });
    });
  });

  describe.each(WRITES.filter(([name]) => name !== 'settle'))('%s', (_, write) => {
    test('to an ended call is fenced', async () => {
      const call = await claimed(stage());
      await stage().store.settle(settlementOf(call));
      expect(await write(stage(), fenceOf(call))).toEqual({ kind: 'fenced' });
    });
  });
}

/** What a third worker finds. The second one has no lease that counts as its driver's, so that a short one must pass. */
async function nextOwner({ store, call }: DriveStoreStage, epoch: number) {
  await store.handOver({ callId: call.id, epoch });
  const [orphan] = await store.takeOver({ workerId: 'third', leaseMs: 1, limit: 1, callId: call.id });
  return orphan;
}

export function writeCases(stage: () => DriveStoreStage): void {
  describe('a write of the owner', () => {
    test('reports a request to end the call', async () => {
      const fence = fenceOf(await claimed(stage()));
      const renew = () => stage().store.renewLease({ ...fence, leaseMs: LEASE_MS });
      expect(await renew()).toEqual({ kind: 'written', endRequested: false });
      await stage().requestEnd();
      expect(await renew()).toEqual({ kind: 'written', endRequested: true });
      const dialog = { ...fence, carrier: 'one', dialog: {} };
      expect(await stage().store.saveDialog(dialog)).toEqual({ kind: 'written', endRequested: true });
    });

    test('of one tick is stored in its order', async () => {
      const call = await claimed(stage());
      const { store } = stage();
      const [fence, atMs] = [fenceOf(call), call.startedAtMs + 100];
      await Promise.all([
        store.saveDialog({ ...fence, carrier: 'one', dialog: { cseq: 1 } }),
        store.advance({ ...fence, to: 'ringing', atMs, sipCode: 180 }),
        store.saveDialog({ ...fence, carrier: 'one', dialog: { cseq: 2 } }),
        store.advance({ ...fence, to: 'in_progress', atMs }),
        store.saveAnsweredBy({ ...fence, answeredBy: 'human', atMs }),
        store.saveAnsweredBy({ ...fence, answeredBy: 'voicemail', atMs }),
      ]);
      expect(await takenOver(stage(), call)).toMatchObject({
        carrier: 'one',
        dialog: { cseq: 2 },
        answeredAtMs: atMs,
        answeredBy: 'voicemail',
      });
    });

    test('keeps the first answer, however often it is reported', async () => {
      const call = await claimed(stage());
      for (const afterMs of [1_000, 9_000]) {
        const answer = { ...fenceOf(call), to: 'in_progress', atMs: call.startedAtMs + afterMs } as const;
        expect(await stage().store.advance(answer)).toEqual({ kind: 'written', endRequested: false });
      }
      expect(await takenOver(stage(), call)).toMatchObject({ answeredAtMs: call.startedAtMs + 1_000 });
    });

    test('never sets the answer before the start', async () => {
      const call = await claimed(stage());
      await stage().store.advance({ ...fenceOf(call), to: 'in_progress', atMs: call.startedAtMs - 5_000 });
      expect(await takenOver(stage(), call)).toMatchObject({ answeredAtMs: call.startedAtMs });
    });

    test('a renewal that was in flight cannot renew a lease that was handed over', async () => {
      const fence = fenceOf(await claimed(stage()));
      await stage().store.handOver(fence);
      expect(await stage().store.renewLease({ ...fence, leaseMs: LEASE_MS })).toEqual({ kind: 'fenced' });
    });
  });
}
