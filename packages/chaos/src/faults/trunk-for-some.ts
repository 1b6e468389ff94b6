import { setTimeout as sleep } from 'node:timers/promises';
import { neighborhoodOf } from '../check/neighbors.ts';
import type { Account } from '../stack/account.ts';
import type { Persona } from '../stack/numbers.ts';
import type { Fault, FaultContext, FaultOutcome } from './fault.ts';
import { untilEnded } from './observe.ts';

const NEIGHBORS_CALLS = 120;
const TROUBLED_CALLS = 24;
/** Longer than timer B: every silent call ends while the neighbor's calls continue. */
const SPREAD_MS = 45_000;
/** A working trunk never makes a call wait; this only allows for a busy machine. */
const DIALLED_WITHIN_MS = 5_000;

/**
 * Two accounts dial destinations that answer 503, one after the other; their neighbor dials others through the same
 * trunk.
 */
export const trunkSays503ForSome: Fault = {
  name: 'trunk-says-503-for-some',
  expectation: 'each of those ends as carrier_unavailable; a neighbor’s calls are accepted, dialed and end normally',
  carrier: 'sip',
  run: (context) => dialBesides(context, 'congested'),
};

/** The same with destinations that send no answer. */
export const trunkSilentForSome: Fault = {
  name: 'trunk-silent-for-some',
  expectation: 'each of those ends as carrier_unavailable; a neighbor’s calls are accepted, dialed and end normally',
  carrier: 'sip',
  run: (context) => dialBesides(context, 'unreachable'),
};

async function dialBesides({ stack, clients }: FaultContext, persona: Persona): Promise<FaultOutcome> {
  const [one, other, neighbor] = [await stack.account(), await stack.account(), await stack.account()];
  const place = async (account: Account, whom: Persona, count: number) => {
    const placed: string[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      placed.push(...(await clients.placeMany(account, 1, () => ({ toNumber: stack.number(whom) }))));
      await sleep(SPREAD_MS / count);
    }
    return placed;
  };
  const [ones, others, neighbors] = await Promise.all([
    place(one, persona, TROUBLED_CALLS),
    place(other, persona, TROUBLED_CALLS),
    place(neighbor, 'busy', NEIGHBORS_CALLS),
  ]);
  const troubled = [...ones, ...others];
  await untilEnded(stack, [...troubled, ...neighbors]);
  const { violations, longestWaitMs } = await neighborhoodOf(stack, neighbor, 'busy');
  const own = await Promise.all([one, other].map((account) => neighborhoodOf(stack, account, 'carrier_unavailable')));
  return {
    injected: troubled.length,
    hit: neighbors.length,
    recoveryMs: null,
    timings: [{ what: 'a neighbor’s call dialed', tookMs: longestWaitMs, promisedMs: DIALLED_WITHIN_MS }],
    violations: [...violations, ...own.flatMap((each) => each.violations)],
  };
}
