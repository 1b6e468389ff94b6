import { randomUUID } from 'node:crypto';
import { GIVES_UP_AFTER_MS } from '../load/client.ts';
import type { Caught, Trap } from '../stack/trap.ts';

/**
 * Sends requests until one runs into the armed trap: on a busy machine a request may be rejected before it gets
 * there. `asking` is still in progress then. The trap matches the idempotency key, which only the API's accept
 * statement contains.
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
  throw new Error('no request ran into the trap: does the product still send the text that the trap matches?');
}
