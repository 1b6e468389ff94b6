import type { ImportReport, SuppressionCheck, SuppressionPage, SuppressionRecord } from '@outdial/persistence';
import { formatTable } from '../terminal/table.ts';
import { isoTime, shownTime, yesOrNo } from './columns.ts';
import type { Json, Report } from './report.ts';

export function entryJson({ createdAtMs, callId, ...record }: SuppressionRecord): Json {
  const { id, number, kind, source, reason } = record;
  return { id, number, kind, source, reason, call_id: callId, created_at: isoTime(createdAtMs) };
}

export function listReport({ suppressions, hasMore }: SuppressionPage): Report {
  const columns = [
    { title: 'ID', value: (entry: SuppressionRecord) => entry.id },
    { title: 'NUMBER', value: (entry: SuppressionRecord) => entry.number },
    { title: 'KIND', value: (entry: SuppressionRecord) => entry.kind },
    { title: 'SOURCE', value: (entry: SuppressionRecord) => entry.source },
    { title: 'SINCE', value: (entry: SuppressionRecord) => shownTime(entry.createdAtMs) },
    { title: 'REASON', value: (entry: SuppressionRecord) => entry.reason ?? '-' },
  ];
  return {
    json: { suppressions: suppressions.map(entryJson), has_more: hasMore },
    text: formatTable(columns, suppressions, 'The list has no such entries.'),
    ...(hasMore ? { notes: ['There are older entries: raise --limit, or choose by --number or --kind.'] } : {}),
  };
}

export function checksReport(checks: readonly SuppressionCheck[]): Report {
  const columns = [
    { title: 'NUMBER', value: (check: SuppressionCheck) => check.number },
    { title: 'SUPPRESSED', value: (check: SuppressionCheck) => yesOrNo(check.by !== null) },
    { title: 'LIST', value: (check: SuppressionCheck) => check.by ?? '-' },
    { title: 'KIND', value: (check: SuppressionCheck) => check.suppression?.kind ?? '-' },
  ];
  const results = checks.map(({ number, by, suppression }) => ({
    number,
    suppressed: by !== null,
    by,
    suppression: suppression === null ? null : entryJson(suppression),
  }));
  return { json: { results }, text: formatTable(columns, checks, '') };
}

export function importReport({ lines, added, invalid, problems }: ImportReport): Report {
  const listed = lines - invalid - added;
  const wrong = problems.map(({ line, value, message }) => `line ${line}: ${value} ${message}`);
  return {
    json: { lines, added, already_listed: listed, invalid, problems: problems.map((problem) => ({ ...problem })) },
    text: [`Numbers added: ${added}; on the list already: ${listed}. Lines that are not valid: ${invalid}.`, ...wrong],
  };
}
