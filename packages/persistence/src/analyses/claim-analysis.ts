import { randomUUID } from 'node:crypto';
import type { AnalysisJob, AnalysisStore, ClaimAnalysisOutcome } from '@outdial/calls';
import { micros, type AnalysisSettings } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { readSettings } from '../stored-settings.ts';
import { readPinned, type PinnedRow } from './read-pinned.ts';

type Pinned = keyof PinnedRow;

interface JobRow extends Omit<AnalysisJob, 'transcript' | 'settings' | 'availableMicros' | Pinned>, PinnedRow {
  readonly transcript: AnalysisJob['transcript'] | null;
  readonly settings: unknown;
  readonly availableMicros: bigint;
}

export async function claimAnalysis(
  database: Database,
  { callId, leaseMs }: Parameters<AnalysisStore['claim']>[0],
): Promise<ClaimAnalysisOutcome> {
  const [row] = await database.side.$queryRaw<JobRow[]>`
    WITH claimed AS (
      UPDATE model_calls m SET
        analysis_lease = ${randomUUID()}::uuid, analysis_tries = m.analysis_tries + 1,
        analysis_due_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
      WHERE m.call_id = ${callId}::uuid AND m.analysis_status = 'pending' AND m.analysis_due_at <= clock_timestamp()
      RETURNING m.call_id, m.analysis_lease, m.analysis_tries, m.needs, m.rates
    )
    SELECT c.id AS "callId", c.account_id AS "accountId", c.request_id AS "requestId", c.currency,
      c.caller_number AS "callerNumber", c.callee_number AS "calleeNumber", c.variables, epoch_ms(c.ended_at) AS "endedAtMs",
      c.transcript, v.settings, m.needs AS models, m.rates, m.analysis_tries AS tries, m.analysis_lease::text AS lease,
      (w.balance_micros - COALESCE((
        SELECT sum(o.hold_micros + transfer_hold_of(o.id)) FROM calls o WHERE o.account_id = c.account_id AND o.ended_at IS NULL AND o.reservation_id IS NOT NULL
      ), 0))::bigint AS "availableMicros"
    FROM claimed m JOIN calls c ON c.id = m.call_id JOIN wallets w ON w.account_id = c.account_id
      JOIN agent_versions v ON v.agent_id = c.agent_id AND v.version = c.agent_version`;
  return row ? { kind: 'claimed', job: toJob(row) } : whyNot(database, callId);
}

function toJob(row: JobRow): AnalysisJob {
  return {
    ...row,
    ...readPinned(row),
    transcript: row.transcript ?? [],
    settings: settingsOf(row.settings),
    availableMicros: micros(row.availableMicros),
  };
}

function settingsOf(stored: unknown): AnalysisSettings | null {
  const read = readSettings(stored);
  return read.kind === 'usable' && read.settings.driver !== 'scripted' ? (read.settings.analysis ?? null) : null;
}

async function whyNot(database: Database, callId: AnalysisJob['callId']): Promise<ClaimAnalysisOutcome> {
  const forMs = await waitOf(database, callId);
  return forMs === null ? { kind: 'not_pending' } : { kind: 'leased', forMs: Math.max(1, forMs) };
}

export async function waitOf({ side }: Database, callId: AnalysisJob['callId']): Promise<number | null> {
  const [row] = await side.$queryRaw<{ forMs: number }[]>`
    SELECT GREATEST(0, CEIL(EXTRACT(epoch FROM m.analysis_due_at - clock_timestamp()) * 1000))::double precision AS "forMs"
    FROM model_calls m WHERE m.call_id = ${callId}::uuid AND m.analysis_status = 'pending'`;
  return row?.forMs ?? null;
}
