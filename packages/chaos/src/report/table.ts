import type { FaultReport } from '../run-fault.ts';

const HEADINGS = ['fault', 'injected', 'hit', 'accepted', 'ended', 'recovery', 'violations'] as const;

/** One line per fault, followed by its violations and its promised times. */
export function formatTable(reports: readonly FaultReport[]): string {
  const rows = reports.map((report) => [
    report.fault.name,
    String(report.injected),
    String(report.hit),
    String(report.accepted),
    String(report.ended),
    report.recoveryMs === null ? '–' : seconds(report.recoveryMs),
    String(report.violations.length + lateTimings(report).length),
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return [line(HEADINGS), ...rows.map(line)].join('\n');
}

/** Details of one fault, below its line. */
export function formatDetails(report: FaultReport): readonly string[] {
  const timings = report.timings.map(
    ({ what, tookMs, promisedMs }) => `${what}: ${seconds(tookMs)} (promised ${seconds(promisedMs)})`,
  );
  return [...timings, ...report.violations.slice(0, 10).map((violation) => `VIOLATION ${violation}`)];
}

/** Whether every promise was kept, the times included. */
export function isKept(report: FaultReport): boolean {
  return report.violations.length === 0 && lateTimings(report).length === 0;
}

function lateTimings({ timings }: FaultReport): readonly unknown[] {
  return timings.filter(({ tookMs, promisedMs }) => tookMs > promisedMs);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
