import { afterAll, beforeAll, expect, test } from 'vitest';
import { QUICK_FAULTS } from './faults/faults.ts';
import { runFault } from './run-fault.ts';
import { openStack, type Stack } from './stack/stack.ts';

/** Against hanging alone: how long things take is judged by `npm run chaos`, on a machine that does nothing else. */
const PATIENCE_MS = 600_000;
const SEED = 4;

let stack: Stack;
let isBroken = false;
beforeAll(async () => {
  stack = await openStack({ carrier: 'simulated', announce: () => undefined });
}, PATIENCE_MS);
afterAll(() => stack.close({ keepLogs: isBroken }), PATIENCE_MS);

test.each(QUICK_FAULTS)('$name: $expectation', { timeout: PATIENCE_MS }, async (fault) => {
  const report = await runFault(fault, stack, { seed: SEED, minutes: 0, say: () => undefined });
  isBroken ||= report.violations.length > 0;
  expect(report.violations).toEqual([]);
  expect(report.hit).toBeGreaterThan(0);
  expect(report.ended).toBe(report.accepted);
});
