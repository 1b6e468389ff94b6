import { expect } from 'vitest';
import { openTimers } from './open-timers.ts';

/** Every mind is closed: the provider has no connection and no request, and no timer of a mind runs. */
export async function expectNothingLeft(provider: { readonly underWay: () => number }): Promise<void> {
  await expect.poll(() => provider.underWay()).toBe(0);
  // What the last answer of the provider ends, ends at once; others would run for seconds.
  await expect.poll(openTimers, { timeout: 2_500 }).toBe(0);
}
