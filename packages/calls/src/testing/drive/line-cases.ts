import { describe, expect, test } from 'vitest';
import type { ClaimOutcome } from '../../ports/drive-store.ts';
import { lineOf } from '../lines/lines.ts';
import { claimed, fenceOf, LEASE_MS, type DriveStoreStage } from './drive-store-stage.ts';

const NAMES = [lineOf('a', 1).name, lineOf('b', 1).name];

export function lineCases(stage: () => DriveStoreStage): void {
  type Changes = Partial<Parameters<DriveStoreStage['store']['claim']>[0]>;
  const claim = (changes: Changes = {}): Promise<ClaimOutcome> =>
    stage().store.claim({
      callId: stage().call.id,
      workerId: 'second',
      leaseMs: LEASE_MS,
      writeAheadDial: false,
      drivers: ['scripted', 'realtime'],
      ...changes,
    });
  const lines = async () => ({ names: NAMES, token: await stage().token() });

  describe('a claim of a call that a model conducts', () => {
    test('stores the lines that the gate gave', async () => {
      await stage().conduct('realtime');
      expect(await claim({ lines: await lines() })).toMatchObject({ kind: 'claimed' });
      expect(await stage().linesOfCall()).toEqual(NAMES);
    });

    test('needs the driver, then lines, then those of this generation', async () => {
      const stale = await lines();
      await stage().conduct('realtime');
      await stage().nextGeneration();
      expect(await claim({ lines: stale, drivers: ['scripted', 'cascade'] })).toEqual({ kind: 'driver_unknown' });
      const { id: callId } = stage().call;
      const unaware = { callId, workerId: 'second', leaseMs: LEASE_MS, writeAheadDial: false };
      expect(await stage().store.claim(unaware)).toEqual({ kind: 'driver_unknown' });
      expect(await claim()).toEqual({ kind: 'lines_needed' });
      expect(await claim({ lines: stale })).toEqual({ kind: 'gate_stale' });
      expect(await stage().linesOfCall()).toBeNull();
      expect(await claim({ lines: await lines() })).toMatchObject({ kind: 'claimed', call: { epoch: 1 } });
    });

    test('reports first what every claim reports', async () => {
      await stage().conduct('realtime');
      await stage().pauseDialing();
      expect(await claim()).toEqual({ kind: 'paused' });
      await stage().expireInQueue();
      expect(await claim({ drivers: [] })).toEqual({ kind: 'refused', reason: 'queue_expired' });
    });

    test('may have no line at all, if the call needs none', async () => {
      await stage().conduct('realtime');
      expect(await claim({ lines: { ...(await lines()), names: [] } })).toMatchObject({ kind: 'claimed' });
      expect(await stage().linesOfCall()).toEqual([]);
    });

    test('is leased to others afterwards, whatever they know', async () => {
      await stage().conduct('realtime');
      await claim({ lines: await lines() });
      expect(await claim({ drivers: [] })).toMatchObject({ kind: 'leased' });
    });
  });

  test('a claim of a scripted call needs no lines and stores none', async () => {
    await stage().nextGeneration();
    const call = await claimed(stage());
    expect(await stage().linesOfCall()).toBeNull();
    await stage().store.handOver(fenceOf(call));
  });
}
