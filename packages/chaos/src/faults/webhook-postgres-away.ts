import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { PATIENCE_MS, until, untilEnded } from './observe.ts';
import { untilAllReceived } from './webhooks-arrive.ts';

const CALLS = 10;
const AWAY_MS = 4_000;
/** Of one endpoint. */
const IN_FLIGHT = 10;

/** Postgres dies while receivers have requests, which they answer before it is back. */
export const webhookPostgresAway: Fault = {
  name: 'webhook-postgres-away',
  expectation: 'the outcomes are stored once it is back, and nothing is sent twice; the others follow',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const { receivers } = stack;
    const account = await stack.account();
    receivers.hold(account.id);
    await untilEnded(stack, await clients.placeMany(account, CALLS, () => ({ toNumber: stack.number('busy') })));
    await until('requests wait for an answer', PATIENCE_MS, async () => receivers.waiting(account.id) >= IN_FLIGHT);
    await stack.postgresServer.kill();
    const hit = receivers.waiting(account.id);
    receivers.release(account.id);
    await sleep(AWAY_MS);
    await stack.postgresServer.start();
    const startedMs = performance.now();
    await untilAllReceived(stack, account);
    const recoveryMs = performance.now() - startedMs;
    const ids = receivers.received(account.id).map(({ id }) => id);
    const repeated = ids.length - new Set(ids).size;
    return {
      injected: 1,
      hit,
      recoveryMs,
      timings: [{ what: 'the other webhooks', tookMs: recoveryMs, promisedMs: 10_000 }],
      violations: repeated > 0 ? [`${repeated} webhooks were sent twice`] : [],
    };
  },
};
