import { sourceTexts, type SourceText } from '../source-texts.ts';
import { code, prose, table } from './table.ts';

/** Every log line of the services, as the sources emit it. `root` is the folder of the repository. */
export function logEventsPage(root: string): string {
  const lines = sourceTexts(root).filter(({ kind }) => kind === 'log');
  const parts = [...new Set(lines.map(partOf))];
  const sections = parts.flatMap((part) => [`## ${part}`, tableOf(lines.filter((text) => partOf(text) === part))]);
  return [
    '# Log events',
    'Logs are JSON lines. `callId`, `accountId` and `requestId` join the lines of one call, account or request. Phone numbers are masked, and keys never appear. `LOG_LEVEL` sets the least serious level that a process emits.',
    'While a store is away, a process logs one line when it goes and one when it returns. Failures that follow from it are logged at `debug`.',
    '`…` stands for a value. Alert on `event` where a line has one: messages may change.',
    ...sections,
  ].join('\n\n');
}

function partOf({ file }: SourceText): string {
  return file.split('/').slice(0, 2).join('/');
}

function tableOf(texts: readonly SourceText[]): string {
  const rows = new Map<string, readonly string[]>();
  for (const { text, log } of texts) {
    const row = [log?.event === undefined ? '' : code(log.event), log?.level ?? '', prose(text)];
    rows.set(row.join('\0'), row);
  }
  const sorted = [...rows.values()].toSorted((a, b) => a.join('\0').localeCompare(b.join('\0'), 'en'));
  return table(['Event', 'Level', 'Message'], sorted);
}
