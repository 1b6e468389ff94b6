import type { DriveStore, Settlement } from '@outdial/calls';
import { accountIdSchema, callIdSchema, micros, reservationIdSchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { measureDriveStore } from './measure-drive-store.ts';

const callId = callIdSchema.parse('0c000000-0000-4000-8000-000000000001');
const fencingToken = { callId, epoch: 1 };
const settlement: Settlement = {
  ...fencingToken,
  reason: 'callee_hangup',
  neverDialled: false,
  answeredAtMs: 1,
  endedAtMs: 2,
  charge: { billableSeconds: 1, costMicros: micros(1) },
  sipCode: 200,
  answeredBy: 'human',
  transcript: null,
  summary: null,
  recordingKey: null,
};

const refuse = () => Promise.reject(new Error('not used here'));

/** A store with the given settlement, and the recorded counts of its outcomes. */
function stage(settle: DriveStore['settle'], optOut: DriveStore['optOut'] = refuse) {
  const counted: string[] = [];
  const note = (what: string) => (value?: string | number) => void counted.push(`${what} ${value ?? 1}`);
  const store: DriveStore = {
    claim: refuse,
    reclaim: refuse,
    saveDialog: refuse,
    advance: refuse,
    saveAnsweredBy: refuse,
    saveEvent: refuse,
    optOut,
    renewLease: refuse,
    enlargeHold: refuse,
    settle,
    endQueued: refuse,
    handOver: refuse,
    takeOver: refuse,
  };
  const measured = measureDriveStore(store, {
    entered: note('entered'),
    ended: note('ended'),
    recordings: note('recording'),
    optOuts: note('opt-out'),
    queueWait: note('waited'),
    settleRetries: note('retry'),
    renewalFailures: note('renewal failure'),
    uploadsRecordings: true,
  });
  return { measured, counted };
}

const release = {
  callId,
  accountId: accountIdSchema.parse('0a000000-0000-4000-8000-000000000001'),
  reservationId: reservationIdSchema.parse('0d000000-0000-4000-8000-000000000001'),
};

test('a call is counted as ended once it is settled, and not for failed attempts', async () => {
  let isAway = true;
  const { measured, counted } = stage(async () => {
    if (isAway) throw new Error('away');
    return { kind: 'settled', release: release };
  });
  await expect(measured.settle(settlement)).rejects.toThrow('away');
  expect(counted).toEqual(['retry 1']);
  isAway = false;
  expect(await measured.settle({ ...settlement, recordingKey: 'key' })).toMatchObject({ kind: 'settled' });
  expect(counted).toEqual(['retry 1', 'ended callee_hangup', 'recording pending']);
});

test('a call that another worker owns is not counted here', async () => {
  const { measured, counted } = stage(async () => ({ kind: 'fenced' }));
  await measured.settle(settlement);
  expect(counted).toEqual([]);
});

test('an unanswered call is not counted as missing a recording', async () => {
  const { measured, counted } = stage(async () => ({ kind: 'settled', release: release }));
  await measured.settle({ ...settlement, reason: 'busy', answeredAtMs: null });
  expect(counted).toEqual(['ended busy']);
  await measured.settle(settlement);
  expect(counted).toEqual(['ended busy', 'ended callee_hangup', 'recording none']);
});

test('a failed renewal is counted, and still fails', async () => {
  const { measured, counted } = stage(() => Promise.reject(new Error('away')));
  await expect(measured.renewLease({ ...fencingToken, leaseMs: 1 })).rejects.toThrow('not used here');
  expect(counted).toEqual(['renewal failure 1']);
});

test('an opt-out is counted once it is stored, also for a worker that has lost the call', async () => {
  const outcomes = [new Error('away'), { kind: 'written', endRequested: false }, { kind: 'fenced' }] as const;
  const left = [...outcomes];
  const { measured, counted } = stage(refuse, async () => {
    const outcome = left.shift();
    if (!outcome || outcome instanceof Error) throw new Error('away');
    return outcome;
  });
  const optOut = (evidence: 'key' | 'tool') => measured.optOut({ ...fencingToken, evidence, note: null, atMs: 1 });
  await expect(optOut('key')).rejects.toThrow('away');
  expect(await optOut('key')).toEqual(outcomes[1]);
  expect(await optOut('tool')).toEqual(outcomes[2]);
  expect(counted).toEqual(['opt-out key', 'opt-out tool']);
});
