import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { upgradeUnder } from './faults/rolling-upgrade.ts';
import { findCommit, HistoryMissing } from './previous/find-commit.ts';
import { ROOT, rollingFrom } from './previous/rolling-from.ts';
import { formatSnapshot } from './previous/schema/snapshot.ts';
import { SNAPSHOT_PATH, snapshotOfCommit } from './previous/schema/snapshot-of-commit.ts';
import { testFaults } from './testing/test-faults.ts';

/** Other faults share the machine. `npm run chaos` places more. */
const CALLS_PER_SECOND = 5;

const missing = await findCommit(rollingFrom(), ROOT).then(
  () => null,
  (error: unknown) => error,
);
// A complete clone without the commit fails below, with the reason.
const isCut = missing instanceof HistoryMissing;
if (isCut) process.stdout.write(`The upgrade from the previous version is not tested. ${missing.message}\n`);

// In CI what is missing is a failure.
describe.skipIf(isCut && process.env['CI'] === undefined)('from the version of deploy/rolling-from', () => {
  testFaults([upgradeUnder(CALLS_PER_SECOND)], 'simulated', { oneVersionBack: true });

  test('deploy/rolling-from.schema is the schema that this version finds', async () => {
    expect(formatSnapshot(await snapshotOfCommit(rollingFrom()))).toBe(readFileSync(SNAPSHOT_PATH, 'utf8'));
  });
});
