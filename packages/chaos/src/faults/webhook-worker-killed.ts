import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';
import { catchFirst } from './catch-first.ts';
import type { Fault } from './fault.ts';
import { MARKS } from './marks.ts';
import { killService, PATIENCE_MS, until, untilEnded } from './observe.ts';

const CALLS = 10;
/** The others have stored their outcomes by then. */
const QUIET_MS = 1_000;

/** A worker dies when receivers have answered, and no outcome is stored yet. */
export const webhookWorkerKilled: Fault = {
  name: 'webhook-worker-killed',
  expectation: 'what it had sent is sent again: the same id, the same bytes',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const { receivers } = stack;
    const account = await stack.account();
    receivers.hold(account.id);
    // No call is open when the worker dies: an orphan would wait for its lease.
    await untilEnded(stack, await clients.placeMany(account, CALLS, () => ({ toNumber: stack.number('busy') })));
    await until('requests wait for an answer', PATIENCE_MS, async () => receivers.waiting(account.id) > 1);
    const finishing = catchFirst(stack.workers, ({ databaseWire }) =>
      databaseWire.trap({ text: MARKS.finishWebhooks, at: 'request' }),
    );
    receivers.release(account.id);
    const { worker, caught } = await finishing;
    await killService(stack, worker);
    caught.cut();
    const orphans = await untilQuiet(stack, account);
    const startedMs = performance.now();
    await expireClaims(stack, orphans);
    await until('all are delivered', PATIENCE_MS, async () => (await pending(stack, account)).length === 0);
    // On a busy machine a living worker may have stored its outcomes only now: those were not sent again.
    const repeated = orphans.filter((eventId) => timesReceived(stack, account, eventId) > 1);
    return { injected: 1, hit: repeated.length, recoveryMs: performance.now() - startedMs };
  },
};

function timesReceived({ receivers }: Stack, account: Account, event: number): number {
  return receivers.received(account.id).filter(({ eventId }) => eventId === event).length;
}

/** @returns the events whose sender is gone: claimed, and left alone for a while */
async function untilQuiet(stack: Stack, account: Account): Promise<readonly number[]> {
  for (let before = await pending(stack, account); ;) {
    await sleep(QUIET_MS);
    const now = await pending(stack, account);
    if (now.join() === before.join()) return now;
    before = now;
  }
}

/** The events that were sent, and whose outcome is not stored. */
async function pending(stack: Stack, account: Account): Promise<readonly number[]> {
  const rows = await stack.sql<{ id: number }>(
    `SELECT event_id::float8 AS id FROM webhook_deliveries
     WHERE account_id = $1 AND state = 'pending' AND attempts > 0 ORDER BY event_id`,
    [account.id],
  );
  return rows.map(({ id }) => id);
}

/** As if the minute of their claims had passed. `worker-killed` waits for it. */
async function expireClaims({ sql }: Pick<Stack, 'sql'>, eventIds: readonly number[]): Promise<void> {
  await sql(
    `UPDATE webhook_deliveries SET due_at = clock_timestamp(), claimed_until = clock_timestamp()
     WHERE state = 'pending' AND event_id = ANY($1::bigint[])`,
    [eventIds],
  );
}
