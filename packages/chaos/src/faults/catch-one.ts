import { randomUUID } from 'node:crypto';
import { GIVES_UP_AFTER_MS } from '../load/client.ts';
import type { Caught, Trap } from '../stack/trap.ts';

/**
 * Asks, until a request runs into the trap that is armed for it: on a busy machine one may be refused before it comes
 * so far. `asking` is still under way. The idempotency key is in what the API sends to be accepted, and in nothing else.
 */
export async function catchOne<Result>(
  arm: (key: string) => Trap,
  ask: (key: string) => Promise<Result>,
): Promise<{ readonly caught: Caught; readonly key: string; readonly asking: Promise<Result> }> {
  const deadlineMs = performance.now() + GIVES_UP_AFTER_MS;
  while (performance.now() < deadlineMs) {
    const key = randomUUID();
    const trap = arm(key);
    const asking = ask(key);
    const caught = await Promise.race([trap.caught, asking.then(() => null)]);
    if (caught) return { caught, key, asking };
    trap.disarm();
  }
  throw new Error('no request ran into the trap: does the product send what it looks for?');
}
