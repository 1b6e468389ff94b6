import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** One line of the report: a ratio or bound with its goal, and the absolute figures behind it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: { readonly atLeast: number } | { readonly atMost: number };
  readonly absolute: Readonly<Record<string, number>>;
}

export function meetsGoal(figure: Figure): boolean {
  return 'atLeast' in figure.goal ? figure.value >= figure.goal.atLeast : figure.value <= figure.goal.atMost;
}

export function formatFigure(figure: Figure): string {
  const goal = 'atLeast' in figure.goal ? `≥ ${figure.goal.atLeast}` : `≤ ${figure.goal.atMost}`;
  const absolute = Object.entries(figure.absolute).map(([name, value]) => `${name} ${round(value)}`);
  const mark = meetsGoal(figure) ? 'met   ' : 'missed';
  return `${mark} ${figure.name}: ${round(figure.value)} ${figure.unit} (goal ${goal})\n         ${absolute.join(' · ')}`;
}

/** Writes the figures with the machine they were measured on, so that two files can be told apart. */
export async function writeReport(figures: readonly Figure[], folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const measuredAt = new Date().toISOString();
  const path = join(folder, `${measuredAt.replaceAll(':', '-')}.json`);
  const machine = { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model, memoryBytes: totalmem() };
  await writeFile(path, `${JSON.stringify({ measuredAt, machine, figures }, null, 2)}\n`);
  return path;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** The value that `share` (0 … 1) of the values do not exceed. NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
