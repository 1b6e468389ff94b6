import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { runFault } from '../run-fault.ts';
import type { CarrierName } from '../stack/numbers.ts';
import { openStack, type Stack, type StackOptions } from '../stack/stack.ts';

/** A safety limit only: `npm run chaos`, on an idle machine, judges how long things take. */
export const PATIENCE_MS = 600_000;
const SEED = 4;

/**
 * Declares a test per fault, all of them on one stack.
 *
 * @returns the stack, once the tests run.
 */
export function testFaults(
  faults: readonly Fault[],
  carrier: CarrierName,
  {
    recoversWithinMs = Infinity,
    ...options
  }: Pick<StackOptions, 'layout' | 'apiCount' | 'workerCount' | 'redisKind' | 'oneVersionBack'> & {
    readonly recoversWithinMs?: number;
  } = {},
): () => Stack {
  let stack: Stack;
  let succeeded = 0;
  beforeAll(async () => {
    stack = await openStack({ carrier, announce: () => undefined, ...options });
  }, PATIENCE_MS);
  afterAll(() => stack.close({ keepLogs: succeeded < faults.length }), PATIENCE_MS);

  test.each(faults)('$name: $expectation', { timeout: PATIENCE_MS }, async (fault) => {
    const report = await runFault(fault, stack, { seed: SEED, minutes: 0, say: () => undefined });
    expect(report.violations).toEqual([]);
    expect(report.hit).toBeGreaterThan(0);
    expect(report.ended).toBe(report.accepted);
    expect(report.recoveryMs ?? 0).toBeLessThan(recoversWithinMs);
    succeeded += 1;
  });
  return () => stack;
}
