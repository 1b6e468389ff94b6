import { DRIVERS, micros } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import { CONDUCTED, reportOf, usageOf } from '../conducted-calls.ts';
import type { ClaimedCall } from '../../ports/drive-store.ts';
import { stageForEach } from '../stage-for-each.ts';
import {
  claimed as claimedWith,
  fenceOf,
  LEASE_MS,
  settlementOf,
  takenOver,
  type DriveStoreStage,
} from './drive-store-stage.ts';

const EARLIER = reportOf(usageOf(1.5, 100, 20));
const LATER = reportOf(usageOf(2.5, 150, 20));

/** A worker that knows every driver claims the call; it needs no line. */
async function claimed(stage: DriveStoreStage): Promise<ClaimedCall> {
  return claimedWith(stage, false, { drivers: DRIVERS, lines: { names: [], token: await stage.token() } });
}

/** What every `DriveStore` promises about the usage of a call that models conduct. The stage's call is `CONDUCTED`. */
export function describeUsageStore(name: string, open: () => Promise<DriveStoreStage>): void {
  describe(`usage in a drive store: ${name}`, () => {
    const stage = stageForEach(open);

    test('a claim and a take-over return the models of the call as they were pinned', async () => {
      const call = await claimed(stage());
      expect(call.conducted).toEqual(CONDUCTED);
      expect(await takenOver(stage(), call)).toMatchObject({ conducted: CONDUCTED, usage: [] });
    });

    test('a renewal stores the whole usage, and one without usage leaves it', async () => {
      const call = await claimed(stage());
      const renewal = { ...fenceOf(call), leaseMs: LEASE_MS };
      for (const usage of [EARLIER, LATER]) {
        expect(await stage().store.renewLease({ ...renewal, usage })).toMatchObject({ kind: 'written' });
      }
      await stage().store.renewLease(renewal);
      expect((await takenOver(stage(), call)).usage).toEqual(LATER.entries);
    });

    test('a renewal that comes late or twice adds nothing and takes nothing away', async () => {
      const call = await claimed(stage());
      const renewal = { ...fenceOf(call), leaseMs: LEASE_MS };
      for (const usage of [LATER, LATER, EARLIER]) await stage().store.renewLease({ ...renewal, usage });
      expect((await takenOver(stage(), call)).usage).toEqual(LATER.entries);
    });

    test('a renewal of an earlier owner stores no usage', async () => {
      const call = await claimed(stage());
      const orphan = await takenOver(stage(), call);
      const late = await stage().store.renewLease({ ...fenceOf(call), leaseMs: LEASE_MS, usage: LATER });
      expect(late).toEqual({ kind: 'fenced' });
      await stage().store.handOver(fenceOf(orphan));
      const [next] = await stage().store.takeOver({ workerId: 'third', leaseMs: 1, limit: 1, callId: call.id });
      expect(next?.usage ?? []).toEqual([]);
    });

    test('a settlement stores usage and charges once, and usage after it is dropped', async () => {
      const call = await claimed(stage());
      const charge = { billableSeconds: 60, costMicros: micros(17_000n + EARLIER.costMicros) };
      const first = await stage().store.settle(settlementOf(call, { charge, usage: EARLIER }));
      expect(first).toMatchObject({
        kind: 'settled',
        release: { balance: { balanceMicros: stage().balanceMicros - charge.costMicros } },
      });
      const late = await stage().store.renewLease({ ...fenceOf(call), leaseMs: LEASE_MS, usage: LATER });
      expect(late).toEqual({ kind: 'fenced' });
      expect(await stage().store.settle(settlementOf(call, { charge, usage: LATER }))).toEqual(first);
    });
  });
}
