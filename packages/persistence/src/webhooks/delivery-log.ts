import type { CallId, CampaignId, WebhookEndpointId, WebhookMessageId, WebhookType } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import type { WebhookContext } from './webhook-context.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryRecord {
  readonly messageId: WebhookMessageId;
  readonly endpointId: WebhookEndpointId;
  /** What it is about: a call, a campaign, or neither. */
  readonly callId: CallId | null;
  readonly campaignId: CampaignId | null;
  readonly eventId: string | null;
  readonly type: WebhookType;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When it is tried next; null unless it is pending. */
  readonly dueAtMs: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly deliveredAtMs: number | null;
  readonly createdAtMs: number;
}

export interface AttemptRecord {
  readonly number: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string | null;
}

export interface MessageRecord {
  readonly id: WebhookMessageId;
  readonly callId: CallId | null;
  readonly campaignId: CampaignId | null;
  readonly type: WebhookType;
  readonly occurredAtMs: number;
  readonly createdAtMs: number;
  /** Null until the first attempt. */
  readonly body: string | null;
}

/** The end of a page. */
export interface DeliveryPosition {
  readonly createdAtMs: number;
  readonly messageId: WebhookMessageId;
}

export interface DeliveryQuery {
  readonly endpointId: WebhookEndpointId;
  readonly state?: DeliveryState | undefined;
  readonly type?: WebhookType | undefined;
  readonly callId?: CallId | undefined;
  readonly after?: DeliveryPosition | undefined;
  readonly limit: number;
}

export interface DeliveryPage {
  readonly deliveries: readonly DeliveryRecord[];
  readonly hasMore: boolean;
}

/** Columns of a delivery `d`. */
export const DELIVERY_COLUMNS = Prisma.sql`
  d.message_id AS "messageId", d.endpoint_id AS "endpointId", d.call_id AS "callId",
  d.campaign_id AS "campaignId", d.event_id::text AS "eventId", d.type,
  d.state, d.attempts, CASE WHEN d.state = 'pending' THEN epoch_ms(d.due_at) END AS "dueAtMs",
  d.last_status AS "lastStatus", d.last_error AS "lastError", epoch_ms(d.delivered_at) AS "deliveredAtMs",
  epoch_ms(d.created_at) AS "createdAtMs"`;

/** Newest first. */
export async function listDeliveries(context: WebhookContext, query: DeliveryQuery): Promise<DeliveryPage> {
  const { endpointId, state, type, callId, after, limit } = query;
  const conditions = [
    Prisma.sql`d.endpoint_id = ${endpointId}::uuid`,
    Prisma.sql`d.account_id = ${context.accountId}::uuid`,
    // The text of the condition, so that the index of the failed ones fits it.
    ...(state === undefined ? [] : [STATE_CONDITIONS[state]]),
    ...(type === undefined ? [] : [Prisma.sql`d.type = ${type}`]),
    ...(callId === undefined ? [] : [ofCall(callId)]),
    ...(after === undefined ? [] : [isAfter(after)]),
  ];
  const rows = await context.database.side.$queryRaw<DeliveryRecord[]>`
    SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries d WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY d.created_at DESC, d.message_id DESC LIMIT ${limit + 1}::int`;
  return { deliveries: rows.slice(0, limit), hasMore: rows.length > limit };
}

const STATE_CONDITIONS: Readonly<Record<DeliveryState, Prisma.Sql>> = {
  pending: Prisma.sql`d.state = 'pending'`,
  delivered: Prisma.sql`d.state = 'delivered'`,
  failed: Prisma.sql`d.state = 'failed'`,
  dropped: Prisma.sql`d.state = 'dropped'`,
};

/** By the index of messages: a call has few. */
const ofCall = (callId: CallId) =>
  Prisma.sql`d.message_id IN (SELECT m.id FROM webhook_messages m WHERE m.call_id = ${callId}::uuid)`;

const isAfter = ({ createdAtMs, messageId }: DeliveryPosition) =>
  Prisma.sql`(d.created_at, d.message_id) < (from_epoch_ms(${createdAtMs}::bigint), ${messageId}::uuid)`;

export interface DeliveryOfCall extends DeliveryRecord {
  /** Null: the endpoint is deleted. */
  readonly url: string | null;
  /** It is one of the account's standing endpoints. */
  readonly isStanding: boolean;
}

/** A call has a dozen events, and an account has 20 endpoints. */
const MOST_OF_CALL = 200;

/** What was sent about a call, to all endpoints, in the order of its events. */
export function listDeliveriesOfCall({ database, accountId }: WebhookContext, callId: CallId) {
  return database.side.$queryRaw<DeliveryOfCall[]>`
    SELECT ${DELIVERY_COLUMNS}, CASE WHEN p.kind = 'per_call' THEN c.webhook_url ELSE p.url END AS url,
      COALESCE(p.kind = 'standing', false) AS "isStanding"
    FROM webhook_deliveries d LEFT JOIN webhook_endpoints p ON p.id = d.endpoint_id AND p.deleted_at IS NULL
      LEFT JOIN calls c ON c.id = d.call_id
    WHERE d.account_id = ${accountId}::uuid AND ${ofCall(callId)}
    ORDER BY d.event_id, d.created_at, d.endpoint_id LIMIT ${MOST_OF_CALL}::int`;
}

export interface MessageDetails {
  readonly message: MessageRecord;
  readonly deliveries: readonly (DeliveryRecord & { readonly attemptLog: readonly AttemptRecord[] })[];
}

/** A message may be sent again many times: its log would have no end. */
const MOST_SHOWN = 50;

/** With the newest attempts. Null: the account has no such message, or it is older than the retention. */
export async function findMessage(
  { database: { side }, accountId }: WebhookContext,
  messageId: WebhookMessageId,
): Promise<MessageDetails | null> {
  const [message] = await side.$queryRaw<MessageRecord[]>`
    SELECT m.id, m.call_id AS "callId", m.campaign_id AS "campaignId", m.type, epoch_ms(m.occurred_at) AS "occurredAtMs",
      epoch_ms(m.created_at) AS "createdAtMs", m.body
    FROM webhook_messages m WHERE m.id = ${messageId}::uuid AND m.account_id = ${accountId}::uuid`;
  if (!message) return null;
  const deliveries = await side.$queryRaw<MessageDetails['deliveries'][number][]>`
    SELECT ${DELIVERY_COLUMNS}, COALESCE((
      SELECT json_agg(json_build_object('number', a.number, 'startedAtMs', epoch_ms(a.started_at),
        'durationMs', a.duration_ms, 'status', a.status, 'error', a.error, 'responseHeaders', a.response_headers,
        'responseBody', a.response_body) ORDER BY a.number)
      FROM (SELECT l.* FROM webhook_attempts l WHERE l.message_id = d.message_id AND l.endpoint_id = d.endpoint_id
            ORDER BY l.number DESC LIMIT ${MOST_SHOWN}::int) a), '[]') AS "attemptLog"
    FROM webhook_deliveries d WHERE d.message_id = ${messageId}::uuid AND d.account_id = ${accountId}::uuid
    ORDER BY d.created_at, d.endpoint_id`;
  return { message, deliveries };
}
