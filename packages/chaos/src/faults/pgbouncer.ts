import { setTimeout as sleep } from 'node:timers/promises';
import { startSteadyLoad } from '../load/steady-load.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault } from './fault.ts';
import { MISHAPS, type Mishap } from './mishaps.ts';
import { isGateOpen, killService, openCallsOf, PATIENCE_MS, until } from './observe.ts';

const CALLS_PER_SECOND = 10;
/** Under load before each strike. */
const GAP_MS = 2_000;
const AWAY_MS = 1_000;
/** `default_pool_size` of the example, and those of the stack itself. Five processes without PgBouncer have 80. */
const SERVER_CONNECTIONS = 40 + 12;

const STRIKES: readonly Mishap[] = [
  {
    name: 'PgBouncer is killed',
    async strike({ pgbouncer }) {
      await pgbouncer?.kill();
      await sleep(AWAY_MS);
      await pgbouncer?.start();
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
    name: 'Postgres is killed',
    async strike({ postgresServer }) {
      await postgresServer.kill();
      await sleep(AWAY_MS);
      await postgresServer.start();
    },
  },
  {
    name: 'an API and a worker are killed',
    async strike(stack) {
      const [api] = stack.apis;
      const [worker] = stack.workers;
      if (api) await killService(stack, api);
      if (worker) await killService(stack, worker);
    },
  },
];

/** Everything as without it: accepting, driving and settling, with the faults of a soak, one after the other. */
export const pgbouncer: Fault = {
  name: 'pgbouncer',
  expectation: 'the same invariants through PgBouncer in transaction mode, with as many connections as it allows',
  carrier: 'simulated',
  layout: 'pooled',
  async run({ stack, clients, random, judgesTimes, say }) {
    if (stack.pgbouncer === null) throw new Error('this fault needs a stack with PgBouncer');
    const account = await stack.account();
    const newCall = () => ({
      toNumber: stack.number(random.pick(['impatient', 'busy', 'silent'])),
      maxDurationSeconds: 5,
    });
    const load = startSteadyLoad({ clients, account, callsPerSecond: CALLS_PER_SECOND, newCall, random });
    let hit = 0;
    let mostConnections = 0;
    let recoveryMs = 0;
    // Those of a soak take minutes.
    const strikes = judgesTimes ? [...STRIKES, ...MISHAPS] : STRIKES;
    for (const mishap of strikes) {
      await sleep(GAP_MS);
      const live = stack.workers.map((worker) => openCallsOf(stack, account, worker.pid));
      hit += (await Promise.all(live)).flat().length;
      mostConnections = Math.max(mostConnections, await connectionsOf(stack));
      await mishap.strike(stack, random);
      const struckMs = performance.now();
      await stack.restore();
      await until('the gate is open', PATIENCE_MS, () => isGateOpen(stack));
      recoveryMs = Math.max(recoveryMs, performance.now() - struckMs);
      say(`${mishap.name}: back after ${((performance.now() - struckMs) / 1_000).toFixed(1)} s`);
    }
    await load.stop();
    say(`at most ${mostConnections} connections to Postgres`);
    return {
      injected: strikes.length,
      hit,
      recoveryMs,
      violations: mostConnections > SERVER_CONNECTIONS ? [`${mostConnections} connections to Postgres`] : [],
    };
  },
};

/** With ours, which do not pass PgBouncer. */
async function connectionsOf(stack: Stack): Promise<number> {
  const [row] = await stack.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  );
  return row?.count ?? 0;
}
