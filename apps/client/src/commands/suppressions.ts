import { buffer } from 'node:stream/consumers';
import type { Suppression, SuppressionFile, SuppressionFilter, SuppressionImport } from '@outdial/sdk';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { plain } from '../terminal/plain.ts';
import { facts, table } from '../terminal/table.ts';
import type { CommandContext } from './command-context.ts';
import { openFile } from './open-file.ts';

const LARGEST_PAGE = 100;

export async function addNumbers(
  context: CommandContext,
  numbers: readonly string[],
  reason: string | undefined,
): Promise<ExitCode> {
  const body = { numbers: [...numbers], ...(reason === undefined ? {} : { reason }) };
  const created = await (await context.client()).suppressions.add(body, { signal: context.io.interrupted });
  context.print({ json: created, text: `${created.added} added.\n${tableOf(created.suppressions)}` });
  return EXIT.done;
}

export interface ListOptions {
  readonly filter: Pick<SuppressionFilter, 'number' | 'kind'>;
  /** How many at most. */
  readonly limit: number;
}

export async function listSuppressions(context: CommandContext, { filter, limit }: ListOptions): Promise<ExitCode> {
  const outdial = await context.client();
  const suppressions: Suppression[] = [];
  const pages = outdial.suppressions.list(
    { ...filter, limit: Math.min(limit, LARGEST_PAGE) },
    { signal: context.io.interrupted },
  );
  for await (const entry of pages) {
    suppressions.push(entry);
    if (suppressions.length === limit) break;
  }
  context.print({ json: { suppressions }, text: tableOf(suppressions) });
  return EXIT.done;
}

/** So that a script can ask before it calls: `refused` if any of the numbers is on a list. */
export async function checkNumbers(context: CommandContext, numbers: readonly string[]): Promise<ExitCode> {
  const results = await (await context.client()).suppressions.check(numbers, { signal: context.io.interrupted });
  const rows = results.map(({ number, by, suppression }) => [
    number,
    by === null ? 'may be called' : 'on a do-not-call list',
    by ?? '-',
    suppression?.kind ?? '-',
  ]);
  context.print({ json: { results }, text: table(['NUMBER', 'ANSWER', 'LIST', 'KIND'], rows) });
  return results.some(({ suppressed }) => suppressed) ? EXIT.refused : EXIT.done;
}

export async function removeSuppression(context: CommandContext, id: string, reason: string): Promise<ExitCode> {
  await (await context.client()).suppressions.remove(id, { reason }, { signal: context.io.interrupted });
  context.print({ json: { removed: id }, text: `Entry ${plain(id)} is removed.\n` });
  return EXIT.done;
}

export async function importNumbers(context: CommandContext, path: string, query: SuppressionFile): Promise<ExitCode> {
  const file = path === '-' ? new Blob([await buffer(context.io.stdin)]) : await openFile(path);
  const report = await (await context.client()).suppressions.import(file, query, { signal: context.io.interrupted });
  context.print({ json: report, text: textOf(report) });
  return report.invalid === 0 ? EXIT.done : EXIT.refused;
}

export async function optOutCall(
  context: CommandContext,
  callId: string,
  reason: string | undefined,
): Promise<ExitCode> {
  const body = reason === undefined ? {} : { reason };
  const suppression = await (await context.client()).calls.optOut(callId, body, { signal: context.io.interrupted });
  const text = `${plain(suppression.number)} opted out and is not called any more.\n`;
  context.print({ json: { suppression }, text });
  return EXIT.done;
}

function tableOf(suppressions: readonly Suppression[]): string {
  const rows = suppressions.map(({ id, number, kind, source, created_at: createdAt, reason }) => [
    id,
    number,
    kind,
    source,
    createdAt,
    reason ?? '-',
  ]);
  return table(['ID', 'NUMBER', 'KIND', 'SOURCE', 'SINCE', 'REASON'], rows);
}

function textOf({ lines, added, already_listed: listed, invalid, problems }: SuppressionImport): string {
  const counts = facts([
    ['lines', String(lines)],
    ['added', String(added)],
    ['listed already', String(listed)],
    ['invalid', String(invalid)],
  ]);
  return counts + problems.map(({ line, value, message }) => `line ${line}: ${plain(value)} ${message}\n`).join('');
}
