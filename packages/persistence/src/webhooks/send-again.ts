import type { WebhookEndpointId, WebhookMessageId, WebhookType } from '@outdial/contracts';
import { DELIVERY_COLUMNS, type DeliveryRecord } from './delivery-log.ts';
import { audited, findEndpoint } from './own-endpoints.ts';
import type { WebhookContext } from './webhook-context.ts';

export type SendOutcome =
  | { readonly kind: 'due'; readonly messageId: WebhookMessageId }
  /** A disabled endpoint gets nothing. */
  | { readonly kind: 'disabled' };

export type ResendOutcome =
  | { readonly kind: 'due'; readonly delivery: DeliveryRecord }
  /** A disabled endpoint gets nothing. */
  | { readonly kind: 'disabled' }
  /** It was sent there as often as a message may be. */
  | { readonly kind: 'sent_too_often'; readonly max: number }
  | { readonly kind: 'no_message' }
  /** Also the endpoint of calls’ URLs, for a message about a call without one. */
  | { readonly kind: 'no_endpoint' };

/** A delivery, or a row of nulls. */
type ResendRow = (DeliveryRecord | { readonly messageId: null }) & {
  readonly hasMessage: boolean;
  readonly isEnabled: boolean | null;
  readonly isSpent: boolean;
  readonly max: number;
};

/**
 * Makes a message due now for an endpoint, before all that is due there, whatever came of it; with all its tries, and
 * without regard to order. An attempt that is under way goes on.
 */
export async function resend(
  context: WebhookContext,
  { messageId, endpointId }: { readonly messageId: WebhookMessageId; readonly endpointId: WebhookEndpointId },
): Promise<ResendOutcome> {
  const { database, accountId } = context;
  const [row] = await database.side.$queryRaw<ResendRow[]>`
    WITH target AS MATERIALIZED (
      SELECT p.id, p.kind, p.state = 'enabled' AS enabled FROM webhook_endpoints p
      WHERE p.id = ${endpointId}::uuid AND p.account_id = ${accountId}::uuid AND p.deleted_at IS NULL
        AND (p.expires_at IS NULL OR p.expires_at > clock_timestamp())
    ), spent AS MATERIALIZED (
      SELECT FROM webhook_deliveries d
      WHERE d.message_id = ${messageId}::uuid AND d.endpoint_id = ${endpointId}::uuid
        AND d.account_id = ${accountId}::uuid AND d.attempts >= webhook_most_attempts()
    ), message AS (
      -- Retention begins anew, and does not delete it meanwhile.
      UPDATE webhook_messages m SET created_at = clock_timestamp() FROM target t
      WHERE m.id = ${messageId}::uuid AND m.account_id = ${accountId}::uuid AND t.enabled
        AND NOT EXISTS (SELECT FROM spent)
      RETURNING m.id, m.account_id, m.call_id, m.campaign_id, m.event_id, m.type
    ), changed AS (
      INSERT INTO webhook_deliveries AS d (message_id, endpoint_id, account_id, lane, call_id, campaign_id, event_id, type,
        tries_left, in_order, due_at, created_at)
      SELECT m.id, t.id, m.account_id, x.lane, m.call_id, m.campaign_id, m.event_id, m.type, webhook_tries(t.kind), false,
        LEAST(clock_timestamp(), (SELECT o.due_at - interval '1 millisecond' FROM webhook_deliveries o
          WHERE o.state = 'pending' AND o.lane = x.lane ORDER BY o.due_at LIMIT 1)), clock_timestamp()
      FROM message m JOIN target t ON true LEFT JOIN calls c ON c.id = m.call_id,
        LATERAL (SELECT webhook_lane(t.id, t.kind, c.webhook_url) AS lane) x
      WHERE t.kind <> 'per_call' OR c.webhook_url IS NOT NULL
      ON CONFLICT (message_id, endpoint_id) DO UPDATE SET state = 'pending', tries_left = excluded.tries_left,
        in_order = false,
        due_at = CASE WHEN d.claimed_until > clock_timestamp() THEN d.due_at ELSE excluded.due_at END
      RETURNING ${DELIVERY_COLUMNS}
    ), ${audited(context, 'resend', endpointId, { message_id: messageId })}
    SELECT c.*, EXISTS (
        SELECT FROM webhook_messages m WHERE m.id = ${messageId}::uuid AND m.account_id = ${accountId}::uuid
      ) AS "hasMessage", (SELECT t.enabled FROM target t) AS "isEnabled", EXISTS (SELECT FROM spent) AS "isSpent",
      webhook_most_attempts() AS max
    FROM (SELECT) one LEFT JOIN changed c ON true`;
  return outcomeOf(row);
}

function outcomeOf(row: ResendRow | undefined): ResendOutcome {
  if (!row?.hasMessage) return { kind: 'no_message' };
  if (row.isEnabled === null) return { kind: 'no_endpoint' };
  if (!row.isEnabled) return { kind: 'disabled' };
  if (row.isSpent) return { kind: 'sent_too_often', max: row.max };
  if (row.messageId === null) return { kind: 'no_endpoint' };
  const { hasMessage: _message, isEnabled: _enabled, isSpent: _spent, max: _max, ...delivery } = row;
  return { kind: 'due', delivery };
}

/** Sends a body to one endpoint, whatever types it wants. Null: the account has no such endpoint. */
export async function sendTest(
  context: WebhookContext,
  endpointId: WebhookEndpointId,
  { type, body }: { readonly type: WebhookType; readonly body: string },
): Promise<SendOutcome | null> {
  if (!(await findEndpoint(context, endpointId))) return null;
  const [row] = await context.database.side.$queryRaw<{ id: WebhookMessageId | null }[]>`
    WITH changed AS MATERIALIZED (
      SELECT announce_webhook(${context.accountId}::uuid, ${type}, clock_timestamp(), ${body}, ${endpointId}::uuid, NULL) AS id
    ), ${audited(context, 'test', endpointId, { type })} SELECT id FROM changed`;
  return row?.id ? { kind: 'due', messageId: row.id } : { kind: 'disabled' };
}
