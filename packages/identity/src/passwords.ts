import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword as hash, verifyPassword as verify } from 'better-auth/crypto';
import { createFairLimiter } from '@outdial/kernel';

/**
 * Each takes a tenth of a second of a processor and 32 MiB, in Node's pool of threads, which file and name look-ups share.
 * However many sign in at once, some of it is left; the last who waits does so for a second or two.
 */
const turns = createFairLimiter({ maxRunning: 2, maxRunningPerLane: 2, maxWaiting: 32, maxWaitingPerLane: 16 });

/** The network that the work is done for. The library between us and these functions does not pass it on. */
const networks = new AsyncLocalStorage<string>();
/** The command line, which has nobody to wait for. */
const NO_NETWORK = '';

/**
 * Runs work that hashes or verifies passwords on behalf of a network: networks take turns.
 * @throws FairLimiterFull at once if a password could not be looked at now, else when it has to make way for another network.
 */
export function onBehalfOf<Value>(network: string, work: () => Promise<Value>): Promise<Value> {
  return networks.run(network, work);
}

/** Whether a password of this network would be refused now. */
export function arePasswordsBusy(network: string): boolean {
  return turns.isFull(network);
}

function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  return turns.run(networks.getStore() ?? NO_NETWORK, work);
}

/** scrypt with a salt of its own, off the thread that answers requests. @throws FairLimiterFull */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password));
}

/** @throws FairLimiterFull */
export function verifyPassword(given: { readonly hash: string; readonly password: string }): Promise<boolean> {
  return inTurn(() => verify(given));
}
