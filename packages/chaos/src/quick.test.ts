import { expect, test } from 'vitest';
import type { Fault } from './faults/fault.ts';
import { QUICK_FAULTS } from './faults/faults.ts';
import { oneKeyFiftyTimes } from './faults/one-key-fifty-times.ts';
import { runFault } from './run-fault.ts';
import { PATIENCE_MS, testFaults } from './testing/test-faults.ts';

/** These faults strike two workers at most. */
const stack = testFaults(QUICK_FAULTS, 'simulated', { workerCount: 2 });

/** Fails with as much broken as possible. */
const GIVEN_UP: Fault = {
  name: 'given-up',
  expectation: 'a line of the report',
  carrier: 'simulated',
  async run({ stack: faulted }) {
    const { apis, workers, redisServer, postgresServer } = faulted;
    workers[0]?.pause();
    apis[0]?.redisWire.refuse();
    apis[1]?.databaseWire.silence();
    await Promise.all([apis[1]?.setClock('an hour ahead'), faulted.fillDisk(true), workers[1]?.kill()]);
    await redisServer.pause();
    await postgresServer.kill();
    throw new Error('given up');
  },
};

test(
  'a fault that fails half-way is a line of the report, and the next one finds everything restored',
  async () => {
    const options = { seed: 4, minutes: 0, say: () => undefined };
    expect((await runFault(GIVEN_UP, stack(), options)).violations).toEqual(['not completed: given up']);
    const { violations, hit, accepted, ended } = await runFault(oneKeyFiftyTimes, stack(), options);
    expect(violations).toEqual([]);
    expect(hit).toBeGreaterThan(0);
    expect(ended).toBe(accepted);
  },
  PATIENCE_MS,
);
