import { parseArgs } from 'node:util';
import type { Fault } from './faults/fault.ts';
import { FAULTS } from './faults/faults.ts';

export interface Options {
  /** Grouped by carrier, kind of Redis and layout, since starting a stack takes a while. */
  readonly faults: readonly Fault[];
  readonly seed: number | undefined;
  /** How long the soak lasts. */
  readonly minutes: number;
}

const SOAK_MINUTES = 30;

export const USAGE = `Usage: npm run chaos [-- --only <fault>] [--seed <number>] [--minutes <number>]

Injects every fault into the running product, and checks the promises after each.

  --only <fault>      only this fault; may be repeated
  --seed <number>     repeats an earlier run
  --minutes <number>  how long the soak lasts (${SOAK_MINUTES})

Faults:
  ${FAULTS.map((fault) => fault.name).join('\n  ')}`;

/** @throws with a sentence that says what is wrong */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string' },
      only: { type: 'string', multiple: true },
    },
  });
  const { only } = values;
  const unknown = only?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? [];
  if (unknown.length > 0) {
    const names = FAULTS.map((fault) => fault.name).join('\n  ');
    throw new Error(`There is no fault "${unknown.join(', ')}". There are:\n  ${names}`);
  }
  const chosen = only === undefined ? FAULTS : FAULTS.filter((fault) => only.includes(fault.name));
  return {
    faults: chosen.toSorted((left, right) => stackOf(left).localeCompare(stackOf(right))),
    seed: values.seed === undefined ? undefined : wholeNumber('--seed', values.seed),
    minutes: values.minutes === undefined ? SOAK_MINUTES : wholeNumber('--minutes', values.minutes),
  };
}

function stackOf({ carrier, redisKind = 'server', layout = 'single' }: Fault): string {
  return `${carrier} ${redisKind} ${layout}`;
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${option} ${text} is not a whole number: write it as in ${option} 7`);
  return Number(text);
}
