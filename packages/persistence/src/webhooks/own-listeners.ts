import { randomUUID } from 'node:crypto';
import {
  LATEST_WEBHOOK_API_VERSION,
  webhookEndpointIdSchema,
  type WebhookEndpointId,
  type WebhookType,
} from '@outdial/contracts';
import type { FinishedAttempt } from '@outdial/webhooks';
import { AccountBoundReached, queryWithAccountLocked } from '../administration/account-bounds.ts';
import { Prisma } from '../generated/client.ts';
import { ENDPOINT_COLUMNS, sealedFor, type SecretToSeal, type WebhookEndpointRecord } from './endpoint-record.ts';
import { audited } from './own-endpoints.ts';
import type { WebhookContext } from './webhook-context.ts';

/** A listener that no stream holds for this long is gone. `hear_webhooks` repeats it. */
const LIFE_SECONDS = 120;

export type StoreResultOutcome = 'stored' | 'listener_not_found' | 'message_not_found';

/** The condition for a listener of this account that has not expired. */
const ownListener = ({ accountId }: WebhookContext, id: WebhookEndpointId) => Prisma.sql`
  p.id = ${id}::uuid AND p.account_id = ${accountId}::uuid AND p.kind = 'listener' AND p.state = 'enabled'
  AND p.expires_at > clock_timestamp()`;

const CLOSED = Prisma.sql`
  state = 'disabled', disabled_reason = 'owner', disabled_at = clock_timestamp(), deleted_at = clock_timestamp()`;

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
      WITH closed AS (
        -- Events are announced to what is enabled: endless listeners must not make that slow.
        UPDATE webhook_endpoints o SET ${CLOSED} WHERE o.account_id = ${accountId}::uuid AND o.kind = 'listener'
          AND o.state = 'enabled' AND o.expires_at <= clock_timestamp()
      ), changed AS (
        INSERT INTO webhook_endpoints AS p (id, account_id, kind, events, api_version, sealed_secret, expires_at, created_by)
        SELECT ${id}::uuid, ${accountId}::uuid, 'listener', ${input.events}::text[], ${LATEST_WEBHOOK_API_VERSION},
          ${sealedFor(id, input)}::bytea, clock_timestamp() + make_interval(secs => ${LIFE_SECONDS}::int), ${actor}
        WHERE ${input.maxOfAccount}::int > (
          SELECT count(*) FROM webhook_endpoints o
          WHERE o.account_id = ${accountId}::uuid AND o.kind = 'listener' AND o.state = 'enabled'
            AND o.expires_at > clock_timestamp())
        RETURNING ${ENDPOINT_COLUMNS}
      ), ${audited(context, 'create', id, { kind: 'listener', events: input.events })} SELECT * FROM changed`,
  );
  if (!record) throw new AccountBoundReached('webhook_listeners', input.maxOfAccount);
  return record;
}

/** Null: the account has no such listener, or it has expired. */
export async function findListener(
  context: WebhookContext,
  id: WebhookEndpointId,
): Promise<WebhookEndpointRecord | null> {
  const [record] = await context.database.side.$queryRaw<WebhookEndpointRecord[]>`
    SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints p WHERE ${ownListener(context, id)}`;
  return record ?? null;
}

/** What is pending is dropped by the workers. False: the account has no such listener. */
export async function endListener(context: WebhookContext, id: WebhookEndpointId): Promise<boolean> {
  const [row] = await context.database.side.$queryRaw<{ count: number }[]>`
    WITH changed AS (
      UPDATE webhook_endpoints p SET ${CLOSED}, expires_at = clock_timestamp() WHERE ${ownListener(context, id)}
      RETURNING p.id
    ), ${audited(context, 'remove', id, { kind: 'listener' })} SELECT count(*)::int AS count FROM changed`;
  return row?.count === 1;
}

/** What came back, as the attempt that is logged. Only an attempt that was handed out can have a result. */
export async function storeHeard(
  context: WebhookContext,
  finish: (attempt: FinishedAttempt) => Promise<void>,
  attempt: FinishedAttempt,
): Promise<StoreResultOutcome> {
  const { messageId, endpointId } = attempt;
  const [row] = await context.database.side.$queryRaw<{ isHandedOut: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM webhook_deliveries d
      WHERE d.message_id = ${messageId}::uuid AND d.endpoint_id = p.id AND d.attempts >= ${attempt.attempt}::int
    ) AS "isHandedOut" FROM webhook_endpoints p WHERE ${ownListener(context, endpointId)}`;
  if (!row) return 'listener_not_found';
  if (!row.isHandedOut) return 'message_not_found';
  await finish(attempt);
  return 'stored';
}
