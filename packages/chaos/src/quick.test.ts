import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from './faults/fault.ts';
import { QUICK_FAULTS } from './faults/faults.ts';
import { oneKeyFiftyTimes } from './faults/one-key-fifty-times.ts';
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

/** Gives up with as much broken as can be. */
const GIVEN_UP: Fault = {
  name: 'given-up',
  expectation: 'a line of the report',
  carrier: 'simulated',
  async run({ stack }) {
    const { apis, workers, redisServer, postgresServer } = stack;
    workers[0]?.pause();
    apis[0]?.redisWire.refuse();
    apis[1]?.databaseWire.silence();
    await Promise.all([apis[1]?.setClock('an hour ahead'), stack.fillDisk(true), workers[1]?.kill()]);
    await redisServer.pause();
    await postgresServer.kill();
    throw new Error('given up');
  },
};

test(
  'a fault that is given up half way is a line of the report, and the next one finds all in order',
  async () => {
    const options = { seed: SEED, minutes: 0, say: () => undefined };
    expect((await runFault(GIVEN_UP, stack, options)).violations).toEqual(['not carried through: given up']);
    expect((await runFault(oneKeyFiftyTimes, stack, options)).violations).toEqual([]);
  },
  PATIENCE_MS,
);
