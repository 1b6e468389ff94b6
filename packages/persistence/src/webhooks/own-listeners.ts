import { randomUUID } from 'node:crypto';
import {
  LATEST_WEBHOOK_API_VERSION,
  webhookEndpointIdSchema,
  type WebhookEndpointId,
  type WebhookMessageId,
  type WebhookType,
} from '@outdial/contracts';
import type { ClaimedDelivery, FinishedAttempt } from '@outdial/webhooks';
import { AccountBoundReached, queryWithAccountLocked } from '../administration/account-bounds.ts';
import { Prisma } from '../generated/client.ts';
import { ENDPOINT_COLUMNS, sealedFor, type SecretToSeal, type WebhookEndpointRecord } from './endpoint-record.ts';
import { audited } from './own-endpoints.ts';
import type { WebhookContext } from './webhook-context.ts';

/** A message for a program that listens; its secret signs it. */
export type HeardDelivery = Omit<ClaimedDelivery, 'kind' | 'url' | 'previousSealedSecret' | 'laneIsHealthy'>;

/** A listener that is not read for this long is gone. */
const LIFE_SECONDS = 120;

/** @throws AccountBoundReached */
export async function createListener(
  context: WebhookContext,
  input: SecretToSeal & { readonly events: readonly WebhookType[]; readonly maxOfAccount: number },
): Promise<WebhookEndpointRecord> {
  const { database, accountId, actor } = context;
  const id = webhookEndpointIdSchema.parse(randomUUID());
  const [record] = await queryWithAccountLocked<WebhookEndpointRecord>(
    database,
    accountId,
    Prisma.sql`
      WITH changed AS (
        INSERT INTO webhook_endpoints AS p (id, account_id, kind, events, api_version, sealed_secret, expires_at, created_by)
        SELECT ${id}::uuid, ${accountId}::uuid, 'listener', ${input.events}::text[], ${LATEST_WEBHOOK_API_VERSION},
          ${sealedFor(id, input)}::bytea, clock_timestamp() + make_interval(secs => ${LIFE_SECONDS}::int), ${actor}
        WHERE ${input.maxOfAccount}::int > (
          SELECT count(*) FROM webhook_endpoints o
          WHERE o.account_id = ${accountId}::uuid AND o.kind = 'listener' AND o.expires_at > clock_timestamp())
        RETURNING ${ENDPOINT_COLUMNS}
      ), ${audited(context, 'create', id, { kind: 'listener', events: input.events })} SELECT * FROM changed`,
  );
  if (!record) throw new AccountBoundReached('webhook_listeners', input.maxOfAccount);
  return record;
}

/**
 * Takes what is due for a listener, and keeps it alive. What gets no result within a minute is due again. Null: the account
 * has no such listener, or it has expired.
 */
export async function hear(
  { database, accountId }: WebhookContext,
  { listenerId, limit }: { readonly listenerId: WebhookEndpointId; readonly limit: number },
): Promise<readonly HeardDelivery[] | null> {
  const rows = await database.side.$queryRaw<(HeardDelivery | { readonly messageId: null })[]>`
    WITH listener AS MATERIALIZED (
      UPDATE webhook_endpoints p SET expires_at = GREATEST(p.expires_at, clock_timestamp() + make_interval(secs => ${LIFE_SECONDS}::int))
      WHERE p.id = ${listenerId}::uuid AND p.account_id = ${accountId}::uuid AND p.kind = 'listener'
        AND p.state = 'enabled' AND p.expires_at > clock_timestamp()
      RETURNING p.id, p.account_id, p.api_version, p.sealed_secret
    ), held AS MATERIALIZED (
      SELECT d.message_id, d.endpoint_id FROM webhook_deliveries d
      WHERE d.state = 'pending' AND d.lane = (SELECT l.id FROM listener l) AND d.due_at <= clock_timestamp() AND d.tries_left > 0
      ORDER BY d.due_at, d.event_id LIMIT ${limit}::int FOR UPDATE OF d SKIP LOCKED
    ), taken AS (
      UPDATE webhook_deliveries d SET attempts = d.attempts + 1, tries_left = d.tries_left - 1,
        claimed_until = clock_timestamp() + interval '1 minute', due_at = clock_timestamp() + interval '1 minute'
      FROM held h WHERE d.message_id = h.message_id AND d.endpoint_id = h.endpoint_id
      RETURNING d.message_id, d.type, d.call_id, d.event_id, d.attempts, d.tries_left
    )
    SELECT m.id AS "messageId", l.id AS "endpointId", l.account_id AS "accountId", l.id AS "laneId", t.type,
      epoch_ms(m.occurred_at) AS "occurredAtMs", t.call_id AS "callId", t.attempts AS attempt, t.tries_left AS "triesLeft",
      l.api_version AS "apiVersion", l.sealed_secret AS "sealedSecret", m.body
    FROM listener l LEFT JOIN (taken t JOIN webhook_messages m ON m.id = t.message_id) ON true ORDER BY t.event_id`;
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (row.messageId === null ? [] : [row]));
}

/** What came back, as the attempt that is logged. False: the account's listener has no such message. */
export async function storeHeard(
  { database, accountId }: WebhookContext,
  finish: (attempt: FinishedAttempt) => Promise<void>,
  attempt: Omit<FinishedAttempt, 'laneId'>,
): Promise<boolean> {
  const { messageId, endpointId } = attempt;
  const [row] = await database.side.$queryRaw<{ messageId: WebhookMessageId }[]>`
    SELECT d.message_id AS "messageId" FROM webhook_deliveries d
      JOIN webhook_endpoints p ON p.id = d.endpoint_id AND p.kind = 'listener'
    WHERE d.message_id = ${messageId}::uuid AND d.endpoint_id = ${endpointId}::uuid AND d.account_id = ${accountId}::uuid
      AND d.attempts >= ${attempt.attempt}::int`;
  if (!row) return false;
  await finish({ ...attempt, laneId: endpointId });
  return true;
}
