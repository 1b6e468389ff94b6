import { micros, type Micros } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';

/** An amount for a script. Checked on this side too: Lua's doubles would round it beyond 2^53. */
export function amountArgument(amount: Micros): string {
  return micros(amount).toString();
}

/** A hold: an amount that is not negative. */
export function holdArgument(amount: Micros): string {
  invariant(amount >= 0n, `a hold of ${amount} micros is below zero`);
  return amountArgument(amount);
}

/** A version, a capacity, a count. */
export function naturalArgument(name: string, value: number): string {
  invariant(Number.isSafeInteger(value) && value >= 0, `${name} ${value} is not a whole number of at least 0`);
  return value.toString();
}
