import { setTimeout as sleep } from 'node:timers/promises';
import { neighborhoodOf } from '../check/neighbors.ts';
import type { Fault } from './fault.ts';
import { countIn, PATIENCE_MS, until, untilEnded } from './observe.ts';

const BEFORE = 6;
const WAITING = 40;
const WAITS_MS = 10_000;
/** OPTIONS is sent every 4 s, a waiting call checks every 2 s, and the trunk takes 30 calls a second. */
const BACK_WITHIN_MS = 20_000;

/** The trunk sends nothing, not even an answer to OPTIONS, until it is back. */
export const trunkReallyDown: Fault = {
  name: 'trunk-really-down',
  expectation: 'calls are accepted and wait in the queue; once the trunk is back each is dialed and ends normally',
  carrier: 'sip',
  async run({ stack, clients, say }) {
    const { signalling } = stack;
    if (!signalling) throw new Error('calls over SIP have a signalling proxy');
    const [first, waiting] = [await stack.account(), await stack.account()];
    const call = () => ({ toNumber: stack.number('busy') });
    signalling.silence();
    await clients.placeMany(first, BEFORE, call);
    const knownMs = await until('every worker has marked the trunk down', PATIENCE_MS, async () => {
      const rows = await stack.sql<{ state: string }>('SELECT state FROM trunk_outlooks');
      return rows.length === stack.workers.length && rows.every(({ state }) => state === 'out');
    });
    say(`every worker noticed after ${Math.round(knownMs / 1_000)} s`);
    const ids = await clients.placeMany(waiting, WAITING, call);
    await sleep(WAITS_MS);
    const hit = await countIn(stack, waiting, 'queued');
    signalling.heal();
    const recoveryMs = await untilEnded(stack, ids);
    const { violations } = await neighborhoodOf(stack, waiting, 'busy');
    return {
      injected: 1,
      hit,
      recoveryMs,
      timings: [{ what: 'every waiting call dialed', tookMs: recoveryMs, promisedMs: BACK_WITHIN_MS }],
      violations: [
        ...violations,
        ...(hit === WAITING ? [] : [`${WAITING - hit} calls did not wait in the queue for the trunk`]),
      ],
    };
  },
};
