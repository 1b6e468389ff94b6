import { LEASE_MS } from '@outdial/calls';
import type { WORKER_STATES } from '@outdial/contracts';
import { sqlStatusesIn } from '../sql/call-states.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { refusal } from './refusal.ts';

export interface WorkerRecord {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly startedAtMs: number;
  readonly seenAtMs: number;
  readonly state: (typeof WORKER_STATES)[number];
  readonly liveCalls: number;
  readonly concurrency: number;
  /** Seconds since the renewal of the oldest lease; null without calls. */
  readonly oldestLeaseSeconds: number | null;
}

/** The processes that drive calls. */
export interface WorkerAdministration {
  /** Oldest first. */
  list(): Promise<readonly WorkerRecord[]>;
  /** A draining worker takes no new calls and keeps its own. A change without effect is not audited. */
  setDraining(change: { readonly workerId: string; readonly draining: boolean }): Promise<void>;
}

export function administerWorkers({ database, actor }: AdministrationContext): WorkerAdministration {
  const { side } = database;
  return {
    list: () => side.$queryRaw<WorkerRecord[]>`
      WITH leases AS (
        SELECT c.worker_id, min(c.lease_expires_at) AS first_end FROM calls c
        WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL AND c.status IN ${sqlStatusesIn('driven')} GROUP BY c.worker_id
      )
      SELECT w.id, w.host, w.version, epoch_ms(w.started_at) AS "startedAtMs", epoch_ms(w.seen_at) AS "seenAtMs",
        CASE
          WHEN w.seen_at < clock_timestamp() - interval '10 seconds' THEN 'silent'
          WHEN NOT (w.drain_requested OR w.stopping) THEN 'taking'
          WHEN w.live_calls > 0 THEN 'draining'
          ELSE 'drained'
        END AS state,
        w.live_calls AS "liveCalls", w.concurrency,
        -- GREATEST skips nulls, so a worker without calls needs the CASE.
        CASE WHEN l.first_end IS NOT NULL
          THEN GREATEST(0, EXTRACT(epoch FROM clock_timestamp() - l.first_end) + ${LEASE_MS / 1_000}::int)::double precision
        END AS "oldestLeaseSeconds"
      FROM workers w LEFT JOIN leases l ON l.worker_id = w.id ORDER BY w.started_at, w.id`,
    async setDraining({ workerId, draining }) {
      const action = draining ? 'worker.drain' : 'worker.resume';
      const [row] = await side.$queryRaw<{ found: bigint }[]>`
        WITH changed AS (
          UPDATE workers SET drain_requested = ${draining} WHERE id = ${workerId} AND drain_requested <> ${draining}
          RETURNING id
        ), ${auditPart(actor, { action, subjectId: workerId, data: {} })}
        SELECT count(*) AS found FROM workers WHERE id = ${workerId}`;
      if (row?.found !== 1n) throw workerNotFound(workerId);
    },
  };
}

function workerNotFound(workerId: string) {
  return refusal('worker_not_found', 'worker_id', `There is no worker ${workerId}. List the workers to find its id.`);
}
