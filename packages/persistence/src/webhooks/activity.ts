import type { WebhookEndpointId } from '@outdial/contracts';
import type { WebhookContext } from './webhook-context.ts';

export interface HourOfDeliveries {
  readonly atMs: number;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  /** There are more: each count is a lower bound. */
  readonly hasMore: boolean;
}

export interface EndpointActivity {
  readonly endpointId: WebhookEndpointId;
  /** The current hour and the 23 before it, oldest first. */
  readonly hours: readonly HourOfDeliveries[];
}

const HOURS = 24;
/** Deliveries of an hour that are counted, over all endpoints of the account: the statement's bound. */
const COUNTED_OF_HOUR = 500;

/**
 * Counts the newest deliveries of each hour, so that an account with a million deliveries is read as fast as one with a few
 * thousand. Those that failed are counted by their own index: a busy hour hides none of them among the others.
 */
export function readActivity({ database, accountId }: WebhookContext): Promise<readonly EndpointActivity[]> {
  return database.side.$queryRaw<EndpointActivity[]>`
    WITH endpoints AS MATERIALIZED (
      SELECT p.id, p.created_at, GREATEST(1, ${COUNTED_OF_HOUR}::int / (count(*) OVER ())::int) AS most
      FROM webhook_endpoints p
      WHERE p.account_id = ${accountId}::uuid AND p.kind = 'standing' AND p.deleted_at IS NULL
    ), hours AS (
      SELECT h AS begins, h + interval '1 hour' AS ends
      FROM generate_series(
        date_trunc('hour', clock_timestamp(), 'UTC') - make_interval(hours => ${HOURS - 1}::int),
        date_trunc('hour', clock_timestamp(), 'UTC'), interval '1 hour') AS h
    )
    SELECT p.id AS "endpointId", json_agg(json_build_object('atMs', epoch_ms(h.begins), 'delivered', c.delivered,
      'failed', f.failed, 'pending', c.pending, 'hasMore', c.read >= p.most OR f.failed >= p.most)
      ORDER BY h.begins) AS hours
    FROM endpoints p CROSS JOIN hours h CROSS JOIN LATERAL (
      SELECT count(*)::int AS read, (count(*) FILTER (WHERE x.state = 'delivered'))::int AS delivered,
        (count(*) FILTER (WHERE x.state = 'pending'))::int AS pending
      FROM (
        SELECT d.state FROM webhook_deliveries d
        WHERE d.endpoint_id = p.id AND d.created_at >= h.begins AND d.created_at < h.ends
        ORDER BY d.created_at DESC, d.message_id DESC LIMIT p.most
      ) x
    ) c CROSS JOIN LATERAL (
      SELECT count(*)::int AS failed FROM (
        SELECT FROM webhook_deliveries d
        WHERE d.endpoint_id = p.id AND d.state = 'failed' AND d.created_at >= h.begins AND d.created_at < h.ends
        ORDER BY d.created_at DESC, d.message_id DESC LIMIT p.most
      ) x
    ) f
    GROUP BY p.id, p.created_at ORDER BY p.created_at, p.id`;
}
