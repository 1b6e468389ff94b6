import { endCall } from '../load/client.ts';
import type { Fault } from './fault.ts';
import { callsOf, countIn, first, untilEnded, untilStatus } from './observe.ts';
import { runOutage } from './outage.ts';

const LIVE_CALLS = 20;
const READ_ONLY_MS = 10_000;

/** Postgres answers but rejects writes, as a standby does before its promotion. Connections stay open. */
export const postgresReadOnly: Fault = {
  name: 'postgres-read-only',
  expectation: 'an outage: nothing is accepted, no outcome stays unknown, and the product recovers without a restart',
  carrier: 'simulated',
  async run(context) {
    const { stack, clients } = context;
    const account = await stack.account();
    const call = () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 600 });
    const callIds = await clients.placeMany(account, LIVE_CALLS, call);
    await untilStatus(stack, account, 'in_progress', LIVE_CALLS);
    const hit = await countIn(stack, account, 'in_progress');
    const configure = async (statement: string) => {
      await stack.sql(statement);
      await stack.sql('SELECT pg_reload_conf()');
    };
    const recover = () => configure('ALTER SYSTEM RESET default_transaction_read_only');
    try {
      const { recoveryMs, timings, violations } = await runOutage(context, {
        store: 'Postgres',
        account,
        strike: () => configure('ALTER SYSTEM SET default_transaction_read_only = on'),
        forMs: READ_ONLY_MS,
        recover,
      });
      const stillLive = await countIn(stack, account, 'in_progress');
      for (const { id } of await callsOf(stack, account)) await endCall(first(stack.apis), account, id);
      await untilEnded(stack, callIds);
      const lost = stillLive < hit ? [`${hit - stillLive} live calls were lost`] : [];
      return { injected: 1, hit, recoveryMs, timings, violations: [...violations, ...lost] };
    } finally {
      await recover();
    }
  },
};
