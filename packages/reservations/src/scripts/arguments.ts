import { micros, type Micros } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';

/** An amount for a script. Checked again on this side: beyond 2^53 Lua's doubles would round it. */
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
  invariant(Number.isSafeInteger(value) && value >= 0, `${name} ${value} is not a whole number from 0 on`);
  return value.toString();
}
