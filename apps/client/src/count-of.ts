import { InvalidArgumentError } from 'commander';

/** The value of an option that limits a list. */
export function countOf(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 99999.');
}
