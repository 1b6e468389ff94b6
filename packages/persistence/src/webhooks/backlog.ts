import type { WebhookStore } from '@outdial/webhooks';
import type { Database } from '../database.ts';

/** More than this says no more about the backlog, and counting it takes longer. */
const COUNTED = 100_000;
const LANES = 4_096;

interface BacklogRow {
  readonly pending: number;
  readonly oldestDueSeconds: number;
  readonly disabled: number;
}

/** Of each lane only the delivery that is due first is read. */
export async function readBacklog({ side }: Database): ReturnType<WebhookStore['backlog']> {
  const [row] = await side.$queryRaw<BacklogRow[]>`
    WITH RECURSIVE walk AS (
      (SELECT d.lane, d.endpoint_id, d.due_at, 1 AS place FROM webhook_deliveries d
       WHERE d.state = 'pending' ORDER BY d.lane, d.due_at, d.event_id LIMIT 1)
      UNION ALL
      SELECT n.lane, n.endpoint_id, n.due_at, w.place + 1 FROM walk w, LATERAL (
        SELECT d.lane, d.endpoint_id, d.due_at FROM webhook_deliveries d
        WHERE d.state = 'pending' AND d.lane > w.lane ORDER BY d.lane, d.due_at, d.event_id LIMIT 1
      ) n WHERE w.place < ${LANES}::int
    )
    SELECT
      (SELECT count(*)::int FROM (
        SELECT FROM webhook_deliveries d WHERE d.state = 'pending' LIMIT ${COUNTED}::int) x) AS pending,
      (SELECT GREATEST(0, COALESCE(max(extract(epoch FROM clock_timestamp() - w.due_at)), 0))::float8
       FROM walk w JOIN webhook_endpoints p ON p.id = w.endpoint_id AND p.state = 'enabled' AND p.kind <> 'listener'
         LEFT JOIN webhook_lanes l ON l.lane = w.lane
       WHERE p.rate_per_second IS NULL AND COALESCE(l.failures, 0) = 0
         AND (l.not_before IS NULL OR l.not_before <= clock_timestamp())) AS "oldestDueSeconds",
      (SELECT count(*)::int FROM webhook_endpoints p
       WHERE p.state = 'disabled' AND p.disabled_reason IN ('failing', 'gone') AND p.deleted_at IS NULL) AS disabled`;
  return row ?? { pending: 0, oldestDueSeconds: 0, disabled: 0 };
}
