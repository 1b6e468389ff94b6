import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault } from './fault.ts';
import { PATIENCE_MS, until, untilEnded } from './observe.ts';
import { untilAllReceived } from './webhooks-arrive.ts';

const CALLS = 30;
/** Requests to one endpoint, over all workers. */
const AT_ONCE = 10;
const NEIGHBOR_WITHIN_MS = 2_000;

/** A receiver takes requests and never answers; calls of its account and of a neighbor go on. */
export const webhookReceiverHangs: Fault = {
  name: 'webhook-receiver-hangs',
  expectation: 'it gets ten requests at once, each is repeated; the webhooks of a neighbor are not delayed',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const { receivers } = stack;
    const [account, neighbor] = [await stack.account(), await stack.account()];
    receivers.hold(account.id);
    const place = (of: Account) => clients.placeMany(of, CALLS, () => ({ toNumber: stack.number('busy') }));
    await untilEnded(stack, await place(account));
    await until('it has all requests that it may', PATIENCE_MS, async () => receivers.waiting(account.id) >= AT_ONCE);
    await untilEnded(stack, await place(neighbor));
    const latestMs = await untilAllReceived(stack, neighbor);
    const waiting = receivers.waiting(account.id);
    const answered = receivers.received(account.id).filter(({ isAnswered }) => isAnswered).length;
    await until('its requests time out', PATIENCE_MS, async () => (await timeouts(stack, account)) >= AT_ONCE);
    const hit = await timeouts(stack, account);
    receivers.release(account.id);
    const recoveredMs = performance.now();
    await untilAllReceived(stack, account);
    return {
      injected: 1,
      hit,
      recoveryMs: performance.now() - recoveredMs,
      timings: [{ what: 'the neighbor’s latest webhook', tookMs: latestMs, promisedMs: NEIGHBOR_WITHIN_MS }],
      violations: [
        ...(waiting > AT_ONCE ? [`${waiting} requests at once to one endpoint`] : []),
        ...(answered > 0 ? [`the receiver answered ${answered} requests: it does not hang`] : []),
      ],
    };
  },
};

async function timeouts({ sql }: Pick<Stack, 'sql'>, account: Account): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_deliveries
     WHERE account_id = $1 AND last_error = 'timeout'`,
    [account.id],
  );
  return row?.count ?? 0;
}
