import { setTimeout as sleep } from 'node:timers/promises';
import { startSteadyLoad } from '../load/steady-load.ts';
import type { Fault } from './fault.ts';
import { startMemoryLog } from './memory-log.ts';
import { MISHAPS } from './mishaps.ts';
import { isGateOpen, openCallsOf, until, PATIENCE_MS } from './observe.ts';

const CALLS_PER_SECOND = 20;
const GAP_MS = { least: 5_000, most: 25_000 } as const;

/** Random faults follow each other under load, for as long as the run lasts. */
export const soak: Fault = {
  name: 'soak',
  expectation: 'every invariant, all the time; memory does not grow',
  carrier: 'simulated',
  async run({ stack, clients, random, minutes, say }) {
    const account = await stack.account({ capacity: 900 });
    const newCall = () => {
      const persona = random.pick(['impatient', 'impatient', 'silent', 'busy', 'never_answers'] as const);
      return { toNumber: stack.number(persona), maxDurationSeconds: random.integer(5, 20), ringTimeoutSeconds: 5 };
    };
    const load = startSteadyLoad({ clients, account, callsPerSecond: CALLS_PER_SECOND, newCall, random });
    // Never killed: their memory at the end shows whether there is a leak.
    const [lastingApi, lastingWorker] = [stack.apis[1], stack.workers[2]];
    const memory = startMemoryLog([lastingApi, lastingWorker].filter((service) => service !== undefined));
    const endMs = performance.now() + minutes * 60_000;
    let injected = 0;
    let hit = 0;
    let recoveryMs = 0;
    while (performance.now() < endMs) {
      await sleep(Math.min(random.integer(GAP_MS.least, GAP_MS.most), Math.max(0, endMs - performance.now())));
      const mishap = random.pick(MISHAPS);
      const live = await Promise.all(
        stack.workers.filter((worker) => worker.isRunning()).map((worker) => openCallsOf(stack, account, worker.pid)),
      );
      hit += live.flat().length;
      injected += 1;
      await mishap.strike(stack, random);
      const startedMs = performance.now();
      await stack.restore();
      await until('the gate is open', PATIENCE_MS, () => isGateOpen(stack));
      recoveryMs = Math.max(recoveryMs, performance.now() - startedMs);
      say(`${mishap.name}: back after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
    }
    await load.stop();
    const { violations, summary } = memory.stop();
    for (const line of summary) say(line);
    return { injected, hit, recoveryMs, violations };
  },
};
