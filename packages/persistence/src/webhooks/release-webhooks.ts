import type { WebhookStore } from '@outdial/webhooks';
import type { Database } from '../database.ts';

/** A store that rejects everything must not be asked again at once. */
const AGAIN_IN_SECONDS = 5;

/**
 * An attempt that was not made gets its try back, while the delivery has few attempts: a failure that always follows must
 * end. Changes nothing once the delivery was claimed again, and nothing a second time.
 */
export async function release({ side }: Database, claims: Parameters<WebhookStore['release']>[0]): Promise<void> {
  const messageIds = claims.map(({ messageId }) => messageId);
  const endpointIds = claims.map(({ endpointId }) => endpointId);
  const attempts = claims.map(({ attempt }) => attempt);
  await side.$executeRaw`
    WITH input AS MATERIALIZED (
      SELECT * FROM unnest(${messageIds}::uuid[], ${endpointIds}::uuid[], ${attempts}::int[])
        AS u(message_id, endpoint_id, attempt)
    ), claimed AS MATERIALIZED (
      SELECT d.message_id, d.endpoint_id FROM input i
        JOIN webhook_deliveries d ON d.message_id = i.message_id AND d.endpoint_id = i.endpoint_id
      WHERE d.state = 'pending' AND d.attempts = i.attempt AND d.claimed_until IS NOT NULL
      ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d
    )
    UPDATE webhook_deliveries d SET claimed_until = NULL,
      due_at = clock_timestamp() + make_interval(secs => ${AGAIN_IN_SECONDS}::int),
      -- A resend has given it all of them meanwhile.
      tries_left = CASE WHEN d.attempts < webhook_most_attempts() THEN LEAST(webhook_tries(p.kind), d.tries_left + 1)
                        ELSE d.tries_left END
    FROM claimed c JOIN webhook_endpoints p ON p.id = c.endpoint_id
    WHERE d.message_id = c.message_id AND d.endpoint_id = c.endpoint_id`;
}
