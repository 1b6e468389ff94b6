import { InvariantError } from '@outdial/kernel';

/** A defect must be visible as one: reported as an outage, it would send operators to healthy stores. */
export function isDefect(cause: unknown): boolean {
  return cause instanceof InvariantError || cause instanceof TypeError || cause instanceof RangeError;
}
