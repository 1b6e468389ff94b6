import { micros, type AccountId, type EndedReason, type Micros } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

/** Sums over ended calls. Waiting ends with the dial; ringing ends with the answer or the end of the attempt. */
export interface CallSums {
  readonly calls: number;
  readonly answered: number;
  readonly costMicros: Micros;
  readonly waitingMs: number;
  readonly ringingMs: number;
  readonly talkingMs: number;
}

export interface StepTotals extends CallSums {
  /** 0 for the first step. */
  readonly step: number;
  readonly endedReason: EndedReason;
}

export interface SubjectTotals {
  /** An agent's id or a caller number. */
  readonly subject: string;
  /** The agent's current name; null for a number. */
  readonly name: string | null;
  readonly sums: CallSums;
}

export interface Totals {
  /** Without steps and reasons that have no calls. */
  readonly steps: readonly StepTotals[];
  /** Subjects with the most calls first, at most 100. */
  readonly agents: readonly SubjectTotals[];
  readonly numbers: readonly SubjectTotals[];
  /** False while calls from before an upgrade are still being counted. */
  readonly isComplete: boolean;
}

/** n + 1 ascending moments that bound n steps, each on a UTC half hour, in ms since 1970. */
export type StepBounds = readonly [number, number, ...number[]];

const DAY_MS = 86_400_000;
const MAX_SUBJECTS = 100;

const SUMS = Prisma.sql`
  sum(x.calls)::int AS calls, sum(x.answered)::int AS answered, sum(x.cost_micros)::bigint AS "costMicros",
  sum(x.waiting_ms)::float8 AS "waitingMs", sum(x.ringing_ms)::float8 AS "ringingMs",
  sum(x.talking_ms)::float8 AS "talkingMs"`;
const COUNTED = Prisma.sql`t.calls, t.answered, t.cost_micros, t.waiting_ms, t.ringing_ms, t.talking_ms`;
const UNCOUNTED = Prisma.sql`1 AS calls, u.answered, u.cost_micros, u.waiting_ms, u.ringing_ms, u.talking_ms`;

function between(column: string, fromMs: number, toMs: number): Prisma.Sql {
  const at = Prisma.raw(column);
  return Prisma.sql`${at} >= from_epoch_ms(${fromMs}::bigint) AND ${at} < from_epoch_ms(${toMs}::bigint)`;
}

/** Whole UTC days are read by day, the remainders at both ends by half hour. */
function subjectRows(accountId: AccountId, fromMs: number, toMs: number): Prisma.Sql {
  const firstDayMs = Math.ceil(fromMs / DAY_MS) * DAY_MS;
  const lastDayMs = Math.floor(toMs / DAY_MS) * DAY_MS;
  const hasDays = firstDayMs < lastDayMs;
  const part = (grain: string, partFromMs: number, partToMs: number) => Prisma.sql`
    SELECT t.subject_type, t.subject, ${COUNTED} FROM call_subject_totals t
    WHERE t.account_id = ${accountId}::uuid AND t.subject_type IN ('agent', 'number') AND t.grain = ${grain}
      AND ${between('t.starts_at', partFromMs, partToMs)}`;
  const parts = hasDays
    ? [part('half_hour', fromMs, firstDayMs), part('day', firstDayMs, lastDayMs), part('half_hour', lastDayMs, toMs)]
    : [part('half_hour', fromMs, toMs)];
  return Prisma.join(parts, ' UNION ALL ');
}

/** One statement, and so one snapshot: a call is either counted or uncounted in all of it. */
export function totalsStatement(accountId: AccountId, bounds: StepBounds): Prisma.Sql {
  const [fromMs, toMs] = [bounds[0], bounds.at(-1) ?? bounds[1]];
  const steps = Prisma.sql`${`{${bounds.join(',')}}`}::bigint[]`;
  return Prisma.sql`
    WITH uncounted AS MATERIALIZED (
      SELECT f.* FROM uncounted_calls n JOIN ended_call_facts f ON f.id = n.call_id
      WHERE n.account_id = ${accountId}::uuid AND ${between('f.starts_at', fromMs, toMs)}
    ), by_step AS (
      SELECT 'step' AS kind, width_bucket(epoch_ms(x.starts_at)::bigint, ${steps}) - 1 AS step, x.ended_reason, ${SUMS}
      FROM (
        SELECT t.starts_at, t.ended_reason, ${COUNTED} FROM call_totals t
        WHERE t.account_id = ${accountId}::uuid AND ${between('t.starts_at', fromMs, toMs)}
        UNION ALL SELECT u.starts_at, u.ended_reason, ${UNCOUNTED} FROM uncounted u
      ) x GROUP BY 2, 3
    ), by_subject AS (
      SELECT x.subject_type, x.subject, ${SUMS} FROM (
        ${subjectRows(accountId, fromMs, toMs)}
        UNION ALL
        SELECT s.subject_type, s.subject, ${UNCOUNTED}
        FROM uncounted u, LATERAL (VALUES ('agent', u.agent_id::text), ('number', u.caller_number)) s(subject_type, subject)
      ) x GROUP BY 1, 2
    ), ranked AS (
      SELECT b.*, row_number() OVER (PARTITION BY b.subject_type ORDER BY b.calls DESC, b.subject) AS rank FROM by_subject b
    )
    SELECT s.kind, s.step, s.ended_reason::text AS "endedReason", NULL AS subject, NULL AS name,
      s.calls, s.answered, s."costMicros", s."waitingMs", s."ringingMs", s."talkingMs", 0 AS rank FROM by_step s
    UNION ALL
    SELECT r.subject_type, NULL, NULL, r.subject, v.settings ->> 'name',
      r.calls, r.answered, r."costMicros", r."waitingMs", r."ringingMs", r."talkingMs", r.rank
    FROM ranked r
    LEFT JOIN agents a ON r.subject_type = 'agent' AND a.id::text = r.subject
    LEFT JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.version
    WHERE r.rank <= ${MAX_SUBJECTS}::int
    UNION ALL
    SELECT CASE WHEN p.finished THEN 'complete' ELSE 'incomplete' END, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0
    FROM call_count_progress p
    ORDER BY rank`;
}

interface TotalsRow extends Omit<CallSums, 'costMicros'> {
  readonly kind: 'step' | 'agent' | 'number' | 'complete' | 'incomplete';
  readonly step: number | null;
  readonly endedReason: EndedReason | null;
  readonly subject: string | null;
  readonly name: string | null;
  readonly costMicros: bigint;
}

export async function readTotals({ side }: Database, accountId: AccountId, bounds: StepBounds): Promise<Totals> {
  const rows = await side.$queryRaw<TotalsRow[]>(totalsStatement(accountId, bounds));
  const ofKind = (kind: TotalsRow['kind']) => rows.filter((row) => row.kind === kind);
  return {
    steps: ofKind('step').flatMap((row) =>
      row.step === null || row.endedReason === null
        ? []
        : [{ ...sumsOf(row), step: row.step, endedReason: row.endedReason }],
    ),
    agents: ofKind('agent').flatMap(subjectOf),
    numbers: ofKind('number').flatMap(subjectOf),
    isComplete: ofKind('complete').length > 0,
  };
}

function subjectOf(row: TotalsRow): readonly SubjectTotals[] {
  return row.subject === null ? [] : [{ subject: row.subject, name: row.name, sums: sumsOf(row) }];
}

function sumsOf({ calls, answered, costMicros, waitingMs, ringingMs, talkingMs }: TotalsRow): CallSums {
  return { calls, answered, costMicros: micros(costMicros), waitingMs, ringingMs, talkingMs };
}
