import { expect, test } from 'vitest';
import { DriveWorld } from '../../test/drive-world.ts';
import { LEASE_MS } from '../lease.ts';
import type { OrphanedCall } from '../ports/drive-store.ts';
import { legGoneByMs } from './leg-bounds.ts';

const STARTED_AT_MS = 1_000_000;

async function orphanWith(
  limits: { readonly maxDurationSeconds: number; readonly ringTimeoutSeconds: number },
  known: Partial<OrphanedCall>,
): Promise<OrphanedCall> {
  const world = new DriveWorld(limits);
  const { store } = world;
  await world.claim(0);
  const [orphan] = await store.takeOver({ workerId: 'other', leaseMs: LEASE_MS, limit: 1 });
  if (!orphan) throw new Error('the lease is over');
  return { ...orphan, startedAtMs: STARTED_AT_MS, leaseRenewedAtMs: STARTED_AT_MS, ...known };
}

const LIMITS = { maxDurationSeconds: 3_600, ringTimeoutSeconds: 30 };
const dialog = { leg: 1 };

test('a leg that may have been answered may be up until the call would have been over', async () => {
  const orphan = await orphanWith({ ...LIMITS, maxDurationSeconds: 7_200 }, { dialog });
  expect(legGoneByMs(orphan)).toBe(STARTED_AT_MS + 30_000 + 7_200_000);
});

test('a far end ends a session half an hour after its last refresh, which may be after the call’s limit', async () => {
  const answeredAtMs = STARTED_AT_MS + 5_000;
  const leaseRenewedAtMs = answeredAtMs + 3_500_000;
  const orphan = await orphanWith(LIMITS, { dialog, answeredAtMs, leaseRenewedAtMs });
  expect(legGoneByMs(orphan)).toBe(leaseRenewedAtMs + LEASE_MS + 1_800_000);
});

test('no SIP session is shorter than 90 s, however short the call', async () => {
  const orphan = await orphanWith({ maxDurationSeconds: 5, ringTimeoutSeconds: 5 }, { dialog });
  expect(legGoneByMs(orphan)).toBe(STARTED_AT_MS + LEASE_MS + 90_000);
});

test('without a dialog nothing was sent, if the carrier stores it first', async () => {
  expect(legGoneByMs(await orphanWith(LIMITS, { dialog: null, writeAheadDial: true }))).toBe(STARTED_AT_MS);
});

test('a leg without a stored dialog rings for three minutes at most, and its answer is given up', async () => {
  expect(legGoneByMs(await orphanWith(LIMITS, { dialog: null }))).toBe(STARTED_AT_MS + 212_000);
});
