import { setTimeout as sleep } from 'node:timers/promises';
import { startSteadyLoad } from '../load/steady-load.ts';
import type { Random } from '../random.ts';
import type { Service } from '../stack/service.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault } from './fault.ts';
import { startMemoryLog } from './memory-log.ts';
import { isGateOpen, killService, openCallsOf, until, PATIENCE_MS } from './observe.ts';

const CALLS_PER_SECOND = 20;
const GAP_MS = { least: 5_000, most: 25_000 } as const;
const SHORT_MS = { least: 500, most: 8_000 } as const;

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

interface Mishap {
  readonly name: string;
  strike(stack: Stack, random: Random): Promise<void>;
}

/** All but the last of each kind, which lasts the whole soak. */
function mortal(services: readonly Service[], random: Random): Service {
  return random.pick(services.slice(0, -1));
}

const briefly = (random: Random) => sleep(random.integer(SHORT_MS.least, SHORT_MS.most));

const everybody = (stack: Stack) => [...stack.apis, ...stack.workers];

const MISHAPS: readonly Mishap[] = [
  { name: 'an API is killed', strike: (stack, random) => killService(stack, mortal(stack.apis, random)) },
  { name: 'a worker is killed', strike: (stack, random) => killService(stack, mortal(stack.workers, random)) },
  {
    name: 'a worker is asked to stop',
    async strike(stack, random) {
      await mortal(stack.workers, random).stop();
    },
  },
  {
    name: 'a process is stopped for a while',
    async strike(stack, random) {
      const service = random.pick([...stack.apis, ...stack.workers.slice(0, -1)]);
      service.pause();
      await briefly(random);
      service.resume();
    },
  },
  {
    name: 'Redis is flushed',
    async strike({ redis }) {
      await redis.flushall();
    },
  },
  {
    name: 'Redis hangs',
    async strike({ redisServer }, random) {
      await redisServer.pause();
      await briefly(random);
      await redisServer.resume();
    },
  },
  {
    name: 'Redis is killed',
    async strike({ redisServer }, random) {
      await redisServer.kill();
      await briefly(random);
      await redisServer.start();
    },
  },
  {
    name: 'Postgres hangs',
    async strike({ postgresServer }, random) {
      await postgresServer.pause();
      await briefly(random);
      await postgresServer.resume();
    },
  },
  {
    name: 'Postgres loses its connections',
    async strike(stack) {
      await stack.sql(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    },
  },
  {
    name: 'the wires are slow',
    async strike(stack, random) {
      for (const { redisWire, databaseWire } of everybody(stack)) {
        redisWire.delay(random.integer(0, 150));
        databaseWire.delay(random.integer(0, 150));
      }
      await briefly(random);
    },
  },
  {
    name: 'one process loses its connection to a store',
    async strike(stack, random) {
      const { redisWire, databaseWire } = random.pick(everybody(stack));
      const wire = random.pick([redisWire, databaseWire]);
      if (random.unit() < 0.5) wire.silence();
      else wire.refuse();
      await briefly(random);
    },
  },
  { name: 'every connection is reset', strike: async (stack) => everybody(stack).forEach(cutWires) },
];

function cutWires({ redisWire, databaseWire }: Service): void {
  redisWire.cut();
  databaseWire.cut();
}
