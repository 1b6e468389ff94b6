import { liveTurnSchema, type LiveTurn } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import { stageForEach } from '../stage-for-each.ts';
import { claimed, fenceOf, LEASE_MS, settlementOf, takenOver, type DriveStoreStage } from './drive-store-stage.ts';

const turnOf = (index: number, text = `turn ${index}`): LiveTurn =>
  liveTurnSchema.parse({
    index,
    replaces: index === 2 ? [1] : [],
    role: 'agent',
    text,
    start_ms: index * 1_000,
    end_ms: index * 1_000 + 900,
    source: 'script',
    interrupted: false,
  });

/** What every `DriveStore` promises about what is said in a call. */
export function describeTurnStore(name: string, open: () => Promise<DriveStoreStage>): void {
  describe(`turns in a drive store: ${name}`, () => {
    const stage = stageForEach(open);

    test('renewals store turns, each once, and a take-over returns them in order', async () => {
      const call = await claimed(stage());
      const renewal = { ...fenceOf(call), leaseMs: LEASE_MS };
      for (const turns of [
        [turnOf(0), turnOf(1)],
        [turnOf(1, 'again'), turnOf(2)],
      ]) {
        expect(await stage().store.renewLease({ ...renewal, turns })).toMatchObject({ kind: 'written' });
      }
      await stage().store.renewLease(renewal);
      expect((await takenOver(stage(), call)).turns).toEqual([turnOf(0), turnOf(1), turnOf(2)]);
    });

    test('a renewal of an earlier owner stores no turns', async () => {
      const call = await claimed(stage());
      const orphan = await takenOver(stage(), call);
      const late = await stage().store.renewLease({ ...fenceOf(call), leaseMs: LEASE_MS, turns: [turnOf(0)] });
      expect(late).toEqual({ kind: 'fenced' });
      await stage().store.handOver(fenceOf(orphan));
      const [next] = await stage().store.takeOver({ workerId: 'third', leaseMs: 1, limit: 1, callId: call.id });
      expect(next?.turns ?? []).toEqual([]);
    });

    test('a call that has ended takes no more turns', async () => {
      const call = await claimed(stage());
      const renewal = { ...fenceOf(call), leaseMs: LEASE_MS };
      await stage().store.renewLease({ ...renewal, turns: [turnOf(0)] });
      await stage().store.settle(settlementOf(call));
      expect(await stage().store.renewLease({ ...renewal, turns: [turnOf(1)] })).toEqual({ kind: 'fenced' });
    });
  });
}
