import { describe, expect, test } from 'vitest';
import type { OptOut } from '../../ports/drive-store.ts';
import { newCallId } from '../ids.ts';
import { claimed, fenceOf, settlementOf, takenOver, type DriveStoreStage } from './drive-store-stage.ts';

const BY_KEY: OptOut = { evidence: 'key', note: null };
const BY_TOOL: OptOut = { evidence: 'tool', note: 'wrong number' };
const WRITTEN = { kind: 'written', endRequested: false };

export function optOutCases(stage: () => DriveStoreStage): void {
  describe('an opt-out', () => {
    test('is stored during the call, once, and as it was reported first', async () => {
      const call = await claimed(stage());
      const at = { ...fenceOf(call), atMs: call.startedAtMs + 3_000 };
      expect(await stage().store.optOut({ ...at, ...BY_TOOL })).toEqual(WRITTEN);
      expect(await stage().optOut()).toEqual(BY_TOOL);
      expect(await stage().store.optOut({ ...at, ...BY_KEY })).toEqual(WRITTEN);
      expect(await stage().optOut()).toEqual(BY_TOOL);
    });

    test('reports a request to end the call', async () => {
      const call = await claimed(stage());
      await stage().requestEnd();
      const outcome = await stage().store.optOut({ ...fenceOf(call), ...BY_KEY, atMs: call.startedAtMs });
      expect(outcome).toEqual({ kind: 'written', endRequested: true });
    });

    test('is stored by the settlement whose own write was lost', async () => {
      const call = await claimed(stage());
      await stage().store.settle(settlementOf(call, { reason: 'opted_out', optOut: BY_KEY }));
      expect(await stage().optOut()).toEqual(BY_KEY);
    });

    test('is stored once when both arrive, in either order', async () => {
      const call = await claimed(stage());
      const write = () => stage().store.optOut({ ...fenceOf(call), ...BY_KEY, atMs: call.startedAtMs + 3_000 });
      await write();
      await stage().store.settle(settlementOf(call, { reason: 'opted_out', optOut: BY_KEY }));
      expect(await write()).toEqual({ kind: 'fenced' });
      expect(await stage().optOut()).toEqual(BY_KEY);
    });

    test('of an earlier owner is fenced, and stands: it is what the callee wants', async () => {
      const call = await claimed(stage());
      await takenOver(stage(), call);
      const late = await stage().store.optOut({ ...fenceOf(call), ...BY_KEY, atMs: call.startedAtMs + 3_000 });
      expect(late).toEqual({ kind: 'fenced' });
      expect(await stage().optOut()).toEqual(BY_KEY);
    });

    test('of no owner, or in an unknown call, is fenced and stores nothing', async () => {
      const { id, epoch, startedAtMs: atMs } = await claimed(stage());
      for (const fence of [
        { callId: id, epoch: epoch + 1 },
        { callId: newCallId(), epoch },
      ]) {
        expect(await stage().store.optOut({ ...fence, ...BY_KEY, atMs })).toEqual({ kind: 'fenced' });
      }
      expect(await stage().optOut()).toBeNull();
    });

    test('of a settlement that is fenced is not stored by it', async () => {
      const call = await claimed(stage());
      await takenOver(stage(), call);
      await stage().store.settle(settlementOf(call, { reason: 'opted_out', optOut: BY_KEY }));
      expect(await stage().optOut()).toBeNull();
    });
  });
}
