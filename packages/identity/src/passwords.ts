import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword as hash, verifyPassword as verify } from 'better-auth/crypto';
import { createFairLimiter } from '@outdial/kernel';

/**
 * Each takes a tenth of a second of a CPU and 32 MiB, in Node's thread pool, which file access and DNS lookups share.
 * The bound leaves threads for them; the last request in a full queue waits one or two seconds.
 */
const limiter = createFairLimiter({ maxRunning: 2, maxRunningPerLane: 2, maxWaiting: 32, maxWaitingPerLane: 16 });

/** The network that the work is done for. The library between us and these functions does not pass it along. */
const networks = new AsyncLocalStorage<string>();
/** For the command line, which shares its process with no other user. */
const NO_NETWORK = '';

/**
 * Runs work that hashes or verifies passwords on behalf of a network, by turns with other networks.
 * @throws FairLimiterFull when the queue is full, or when another network displaces the request.
 */
export function onBehalfOf<Value>(network: string, work: () => Promise<Value>): Promise<Value> {
  return networks.run(network, work);
}

/** Whether password work of this network would be rejected now. */
export function isPasswordQueueFull(network: string): boolean {
  return limiter.isFull(network);
}

function limited<Value>(work: () => Promise<Value>): Promise<Value> {
  return limiter.run(networks.getStore() ?? NO_NETWORK, work);
}

/** Hashes with scrypt and a random salt, off the main thread. @throws FairLimiterFull */
export function hashPassword(password: string): Promise<string> {
  return limited(() => hash(password));
}

/** @throws FairLimiterFull */
export function verifyPassword(given: { readonly hash: string; readonly password: string }): Promise<boolean> {
  return limited(() => verify(given));
}
