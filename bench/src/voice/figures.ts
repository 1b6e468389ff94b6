import { meetsGoal, type Figure } from '../report.ts';

/** The value that `share` (0 … 1) of the values do not exceed. NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** `name | measured | goal`, and what it was made from. */
export function figureRow(figure: Figure): string {
  const goal = 'atLeast' in figure.goal ? `≥ ${figure.goal.atLeast}` : `≤ ${figure.goal.atMost}`;
  const made = Object.entries(figure.absolute).map(([name, value]) => `${name} ${shown(value)}`);
  const cells = [
    figure.name,
    `${shown(figure.value)} ${figure.unit}`.trim(),
    goal,
    meetsGoal(figure) ? 'met' : 'missed',
  ];
  return `| ${cells.join(' | ')} | ${made.join(', ')} |`;
}

export const FIGURE_HEAD = '| figure | measured | goal | | from |\n| --- | --- | --- | --- | --- |';

function shown(value: number): string {
  return String(Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 100) / 100);
}
