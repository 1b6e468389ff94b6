import { meetsGoal, type Figure } from '../report.ts';

/** `name | measured | goal`, and the figures behind it. */
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
