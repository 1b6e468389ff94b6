import type { SharedEvidence, TrunkEvidenceStore } from '@outdial/calls';
import type { CallId, TrunkName } from '@outdial/contracts';
import type { Database } from '../database.ts';

interface EvidenceRow {
  readonly id: string;
  readonly trunk: TrunkName;
  readonly settings: string;
  readonly evidence: SharedEvidence['evidence'];
  readonly ageMs: number;
  readonly awaitedMs: number;
}

/** Times are Postgres's: workers' clocks differ, so workers exchange ages. */
export function createTrunkEvidence(
  { side }: Database,
  { workerId }: { readonly workerId: string },
): TrunkEvidenceStore {
  return {
    async add(added) {
      if (added.length === 0) return;
      const batch = JSON.stringify(
        added.map(({ id, trunk, settings, evidence, ageMs, awaitedMs }) => ({
          id,
          trunk,
          settings,
          evidence,
          age_ms: ageMs,
          awaited_ms: awaitedMs,
        })),
      );
      // The join drops trunks that were removed. Evidence older than an hour is unused, except for the last carried call.
      await side.$executeRaw`
        WITH gone AS (
          DELETE FROM trunk_evidence e WHERE e.at < now() - interval '1 hour' AND (e.kind <> 'carried' OR EXISTS (
            SELECT FROM trunk_evidence n WHERE n.trunk = e.trunk AND n.kind = 'carried' AND n.at > e.at))
        )
        INSERT INTO trunk_evidence (id, trunk, settings, worker_id, kind, evidence, since, at)
        SELECT r.id, t.name, r.settings, ${workerId}, r.evidence ->> 'kind', r.evidence,
          now() - (r.age_ms + r.awaited_ms) * interval '1 millisecond', now() - r.age_ms * interval '1 millisecond'
        FROM jsonb_to_recordset(${batch}::jsonb) AS r(
          id uuid, trunk text, settings text, evidence jsonb, age_ms float8, awaited_ms float8)
        JOIN trunks t ON t.name = r.trunk
        ON CONFLICT DO NOTHING`;
    },
    recent: (withinMs) => side.$queryRaw<EvidenceRow[]>`
      WITH last_carried AS (
        SELECT DISTINCT ON (trunk) id FROM trunk_evidence WHERE kind = 'carried' ORDER BY trunk, at DESC
      )
      SELECT e.id::text, e.trunk, e.settings, e.evidence,
        (extract(epoch FROM now() - e.at) * 1000)::float8 AS "ageMs",
        (extract(epoch FROM e.at - e.since) * 1000)::float8 AS "awaitedMs"
      FROM trunk_evidence e
      WHERE e.at > now() - ${withinMs}::float8 * interval '1 millisecond' OR e.id IN (SELECT id FROM last_carried)`,
    async takeProbe({ trunk, callId, forMs }) {
      const rows = await side.$queryRaw<{ callId: CallId }[]>`
        INSERT INTO trunk_probes AS p (trunk, call_id, until)
        SELECT t.name, ${callId}::uuid, now() + ${forMs}::float8 * interval '1 millisecond' FROM trunks t WHERE t.name = ${trunk}
        ON CONFLICT (trunk) DO UPDATE SET call_id = excluded.call_id, until = excluded.until
          WHERE p.until < now() OR p.call_id = excluded.call_id
        RETURNING p.call_id AS "callId"`;
      return rows.length > 0;
    },
    async endProbe(callId) {
      await side.$executeRaw`DELETE FROM trunk_probes WHERE call_id = ${callId}::uuid`;
    },
  };
}
