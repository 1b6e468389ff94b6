import type { Account } from '../stack/account.ts';
import type { Attempt } from '../load/client.ts';
import { startSteadyLoad } from '../load/steady-load.ts';
import type { Fault, FaultContext } from './fault.ts';
import { countIn, untilStatus } from './observe.ts';
import { runOutage } from './outage.ts';

const LIVE_CALLS = 20;
const LOST_MS = 60_000;
const CALLS_PER_SECOND = 50;
/** Each process's default connections: for calls, for everything else, and for pings. */
const CONNECTIONS_EACH = 10 + 5 + 1;

/** The only synchronous standby is lost: reads work, and every commit waits forever. */
export const postgresStandbyLost: Fault = {
  name: 'postgres-standby-lost',
  expectation: 'backends stay bounded, no process reports ready, and every unknown outcome is known once it is back',
  carrier: 'simulated',
  async run(context) {
    const { stack, clients, random, say } = context;
    const account = await stack.account();
    const call = () => ({ toNumber: stack.number('impatient') });
    await clients.placeMany(account, LIVE_CALLS, () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 60 }));
    await untilStatus(stack, account, 'in_progress', LIVE_CALLS);
    const hit = await countIn(stack, account, 'in_progress');
    const load = startSteadyLoad({ clients, account, callsPerSecond: CALLS_PER_SECOND, newCall: call, random });
    const bound = 2 * CONNECTIONS_EACH * (stack.apis.length + stack.workers.length);
    let mostBackends = 0;
    let mostWaiting = 0;
    const configure = async (statement: string) => {
      await stack.sql(statement);
      await stack.sql('SELECT pg_reload_conf()');
    };
    const recover = () => configure('ALTER SYSTEM RESET synchronous_standby_names');
    try {
      const { recoveryMs, timings, violations } = await runOutage(context, {
        store: 'Postgres',
        account,
        // A name that no standby has: to Postgres this equals a lost standby.
        strike: () => configure(`ALTER SYSTEM SET synchronous_standby_names = 'a_standby_that_is_lost'`),
        forMs: LOST_MS,
        async look() {
          const [row] = await stack.sql<{ backends: number; waiting: number }>(
            `SELECT count(*)::int AS backends, (count(*) FILTER (WHERE wait_event = 'SyncRep'))::int AS waiting
             FROM pg_stat_activity WHERE backend_type = 'client backend'`,
          );
          mostBackends = Math.max(mostBackends, row?.backends ?? 0);
          mostWaiting = Math.max(mostWaiting, row?.waiting ?? 0);
        },
        recover,
        mayAnswer: ['outcome_unknown'],
      });
      await load.stop();
      const unknown = await resolveUnknown(context, account);
      say(`at most ${mostBackends} backends, ${mostWaiting} of them waiting for the standby; bound ${bound}`);
      return {
        injected: 1,
        hit,
        recoveryMs,
        timings,
        violations: [
          ...violations,
          ...unknown,
          ...(mostWaiting === 0 ? ['no commit waited for the standby'] : []),
          ...(mostBackends > bound ? [`${mostBackends} backends, and at most ${bound} are allowed`] : []),
        ],
      };
    } finally {
      await recover();
      await load.stop();
    }
  },
};

/** A client that knows no outcome asks again under the same key. @returns what is still unknown */
async function resolveUnknown({ stack, clients }: FaultContext, account: Account): Promise<readonly string[]> {
  const open = clients.promises.all().filter((promised) => promised.account === account && isOpen(promised.attempts));
  const answers = await Promise.all(
    open.map(async ({ key }) => {
      const answer = await clients.placeWithRetries(account, { toNumber: stack.number('busy') }, { key });
      return answer.kind === 'accepted' ? [] : [`an outcome stayed unknown: ${key} ${JSON.stringify(answer)}`];
    }),
  );
  return answers.flat();
}

function isOpen(attempts: readonly Attempt[]): boolean {
  const last = attempts.at(-1)?.answer;
  return last?.kind === 'no_answer' || (last?.kind === 'refused' && last.code === 'outcome_unknown');
}
