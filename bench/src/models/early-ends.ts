import type { Figure } from '../report.ts';

/** Calls that were placed and did not talk until the benchmark ended them. */
export function earlyEnds(name: string, placed: number, talked: number): Figure {
  return {
    name: `${name}: calls that ended by themselves`,
    value: placed - talked,
    unit: 'calls',
    goal: { atMost: 0 },
    absolute: { placed },
  };
}
