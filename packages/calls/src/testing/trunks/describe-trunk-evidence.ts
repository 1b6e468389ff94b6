import { randomUUID } from 'node:crypto';
import type { TrunkName } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import type { SharedEvidence, TrunkEvidenceStore } from '../../ports/trunks.ts';
import { newAccountId, newCallId } from '../ids.ts';
import { stageForEach, type Stage } from '../stage-for-each.ts';

/** One store as two workers have it, without evidence. */
export interface TrunkEvidenceStage extends Stage {
  readonly one: TrunkEvidenceStore;
  readonly other: TrunkEvidenceStore;
  readonly addTrunk: () => Promise<TrunkName>;
  readonly removeTrunk: (trunk: TrunkName) => Promise<void>;
}

const MINUTE_MS = 60_000;
const accountId = newAccountId();
const FAILED: SharedEvidence['evidence'] = {
  kind: 'failed',
  failure: 'silent',
  callId: newCallId(),
  accountId,
  destination: 'digest',
  retryAfterMs: null,
  detail: 'no response',
};

/** Seen two seconds ago, unless changed. */
export const evidenceOf = (trunk: TrunkName, changes: Partial<SharedEvidence> = {}): SharedEvidence => ({
  id: randomUUID(),
  trunk,
  settings: 'as set',
  evidence: FAILED,
  ageMs: 2_000,
  awaitedMs: 32_000,
  ...changes,
});

/** That the trunk carried a call. */
export const carriedCall = (trunk: TrunkName, ageMs: number): SharedEvidence =>
  evidenceOf(trunk, { evidence: { kind: 'carried', accountId }, ageMs, awaitedMs: 0 });

/** What every `TrunkEvidenceStore` promises. */
export function describeTrunkEvidence(name: string, open: () => Promise<TrunkEvidenceStage>): void {
  describe(`evidence about trunks: ${name}`, () => {
    const stage = stageForEach(open);
    const found = async (trunk: TrunkName) =>
      (await stage().other.recent(MINUTE_MS)).filter((each) => each.trunk === trunk);

    test('evidence of one worker is read by another, once, with its age', async () => {
      const { one, addTrunk } = stage();
      const trunk = await addTrunk();
      const row = evidenceOf(trunk);
      await one.add([row]);
      await one.add([row]);
      const ageMs = expect.toSatisfy((ms: number) => ms >= 2_000 && ms < 2_000 + MINUTE_MS);
      expect(await found(trunk)).toEqual([{ ...row, ageMs, awaitedMs: expect.closeTo(32_000, -1) }]);
    });

    test('old evidence is not read, except for the last call that a trunk carried', async () => {
      const { one, addTrunk } = stage();
      const trunk = await addTrunk();
      const last = carriedCall(trunk, 7_200_000);
      await one.add([evidenceOf(trunk, { ageMs: 7_200_000 }), carriedCall(trunk, 8_000_000), last]);
      expect((await found(trunk)).map(({ id }) => id)).toEqual([last.id]);
    });

    test('evidence about a trunk that was removed is dropped', async () => {
      const { one, addTrunk, removeTrunk } = stage();
      const [gone, there, removed] = [await addTrunk(), await addTrunk(), await addTrunk()];
      await removeTrunk(gone);
      await one.add([evidenceOf(gone), evidenceOf(there), evidenceOf(removed)]);
      await removeTrunk(removed);
      expect([await found(gone), (await found(there)).length, await found(removed)]).toEqual([[], 1, []]);
    });

    test('one call at a time probes a trunk across all workers, until it ends or its time is up', async () => {
      const { one, other, addTrunk } = stage();
      const trunk = await addTrunk();
      const [first, second] = [newCallId(), newCallId()];
      const take = (store: TrunkEvidenceStore, callId: typeof first, forMs = MINUTE_MS) =>
        store.takeProbe({ trunk, callId, forMs });
      expect((await Promise.all([take(one, first), take(other, second)])).toSorted()).toEqual([false, true]);
      const holder = (await take(one, first)) ? first : second;
      const waiting = holder === first ? second : first;
      expect([await take(other, holder), await take(other, waiting)]).toEqual([true, false]);
      await one.endProbe(holder);
      expect(await take(other, waiting, 0)).toBe(true);
      expect(await take(one, holder)).toBe(true);
    });

    test('the end of a probe frees the trunk of that call alone', async () => {
      const { one, other, addTrunk } = stage();
      const [trunk, neighbor] = [await addTrunk(), await addTrunk()];
      const [ended, lasting] = [newCallId(), newCallId()];
      await one.takeProbe({ trunk, callId: ended, forMs: MINUTE_MS });
      await one.takeProbe({ trunk: neighbor, callId: lasting, forMs: MINUTE_MS });
      await one.endProbe(ended);
      const callId = newCallId();
      expect(await other.takeProbe({ trunk, callId, forMs: MINUTE_MS })).toBe(true);
      expect(await other.takeProbe({ trunk: neighbor, callId, forMs: MINUTE_MS })).toBe(false);
    });

    test('a trunk that was removed is not probed', async () => {
      const { one, addTrunk, removeTrunk } = stage();
      const trunk = await addTrunk();
      await removeTrunk(trunk);
      expect(await one.takeProbe({ trunk, callId: newCallId(), forMs: MINUTE_MS })).toBe(false);
    });
  });
}
