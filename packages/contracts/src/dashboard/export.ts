import { listCallsQuerySchema } from '../list-calls.ts';

/**
 * The query of `GET …/calls.csv`: the filters of the list. The response is RFC 4180 in UTF-8, with a byte order mark so
 * that spreadsheets detect it: all calls that match, newest first, streamed. A cell that a spreadsheet would take for a
 * formula starts with an apostrophe; a telephone number stays as it is, since `+` and digits compute nothing.
 */
export const exportCallsQuerySchema = listCallsQuerySchema.omit({ limit: true, cursor: true });

/** The columns in the order of the header line. */
export const CSV_COLUMNS = [
  'id',
  'created_at',
  'status',
  'ended_reason',
  'agent_id',
  'from_number',
  'to_number',
  'started_at',
  'answered_at',
  'ended_at',
  'duration_seconds',
  'billable_seconds',
  'answered_by',
  'sip_code',
  'cost',
  'currency',
  'recording_status',
  'summary',
  'review_note',
  'variables',
  'metadata',
] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];
