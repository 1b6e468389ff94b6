import { randomUUID } from 'node:crypto';
import {
  LATEST_WEBHOOK_API_VERSION,
  webhookEndpointIdSchema,
  type WebhookEndpointId,
  type WebhookType,
} from '@outdial/contracts';
import { AccountBoundReached, queryWithAccountLocked } from '../administration/account-bounds.ts';
import { auditPart } from '../administration/audit.ts';
import { Prisma } from '../generated/client.ts';
import {
  ENDPOINT_COLUMNS,
  mayRotate,
  newSecret,
  sealedFor,
  type SecretToSeal,
  type WebhookEndpointRecord,
} from './endpoint-record.ts';
import type { WebhookContext } from './webhook-context.ts';

export interface NewWebhookEndpoint extends SecretToSeal {
  readonly url: string;
  readonly events: readonly WebhookType[];
  readonly description: string;
  readonly ratePerSecond: number | null;
  readonly maxOfAccount: number;
}

export type RotateOutcome =
  | { readonly kind: 'rotated'; readonly endpoint: WebhookEndpointRecord }
  /** Two secrets sign already. */
  | { readonly kind: 'in_progress' };

/** The condition for a standing endpoint of this account. */
export const ownEndpoint = ({ accountId }: WebhookContext, id: WebhookEndpointId) => Prisma.sql`
  p.id = ${id}::uuid AND p.account_id = ${accountId}::uuid AND p.kind = 'standing' AND p.deleted_at IS NULL`;

export const audited = ({ actor, accountId }: WebhookContext, verb: string, subjectId: string, data = {}) =>
  auditPart(actor, { action: `webhook_endpoint.${verb}`, subjectId, data: { account_id: accountId, ...data } });

/** @throws AccountBoundReached */
export async function createEndpoint(
  context: WebhookContext,
  input: NewWebhookEndpoint,
): Promise<WebhookEndpointRecord> {
  const { accountId, actor, database } = context;
  const { url, events, description, ratePerSecond, maxOfAccount } = input;
  const id = webhookEndpointIdSchema.parse(randomUUID());
  const data = { url, events, description, rate_per_second: ratePerSecond ?? undefined };
  const [record] = await queryWithAccountLocked<WebhookEndpointRecord>(
    database,
    accountId,
    Prisma.sql`
      WITH changed AS (
        INSERT INTO webhook_endpoints AS p (id, account_id, kind, url, description, events, api_version, sealed_secret,
          rate_per_second, created_by)
        SELECT ${id}::uuid, ${accountId}::uuid, 'standing', ${url}, ${description}, ${events}::text[],
          ${LATEST_WEBHOOK_API_VERSION}, ${sealedFor(id, input)}::bytea, ${ratePerSecond}::int, ${actor}
        WHERE ${maxOfAccount}::int > (
          SELECT count(*) FROM webhook_endpoints o
          WHERE o.account_id = ${accountId}::uuid AND o.kind = 'standing' AND o.deleted_at IS NULL)
        RETURNING ${ENDPOINT_COLUMNS}
      ), ${audited(context, 'create', id, data)} SELECT * FROM changed`,
  );
  if (!record) throw new AccountBoundReached('webhook_endpoints', maxOfAccount);
  return record;
}

/** Oldest first. */
export function listEndpoints({ database, accountId }: WebhookContext): Promise<readonly WebhookEndpointRecord[]> {
  return database.side.$queryRaw<WebhookEndpointRecord[]>`
    SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints p
    WHERE p.account_id = ${accountId}::uuid AND p.kind = 'standing' AND p.deleted_at IS NULL ORDER BY p.created_at, p.id`;
}

export async function findEndpoint(
  context: WebhookContext,
  id: WebhookEndpointId,
): Promise<WebhookEndpointRecord | null> {
  const [record] = await context.database.side.$queryRaw<WebhookEndpointRecord[]>`
    SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints p WHERE ${ownEndpoint(context, id)}`;
  return record ?? null;
}

/** Of any kind: also a listener, and the endpoint of calls' URLs. */
export async function hasEndpoint({ database, accountId }: WebhookContext, id: WebhookEndpointId): Promise<boolean> {
  const [row] = await database.side.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM webhook_endpoints p
      WHERE p.id = ${id}::uuid AND p.account_id = ${accountId}::uuid AND p.deleted_at IS NULL
    ) AS found`;
  return row?.found === true;
}

/** What is pending is dropped by the workers. False if the account has no such endpoint. */
export async function removeEndpoint(context: WebhookContext, id: WebhookEndpointId): Promise<boolean> {
  const [row] = await context.database.side.$queryRaw<{ count: number }[]>`
    WITH changed AS (
      UPDATE webhook_endpoints p SET state = 'disabled', deleted_at = clock_timestamp(),
        disabled_at = COALESCE(p.disabled_at, clock_timestamp()), disabled_reason = COALESCE(p.disabled_reason, 'owner'),
        sealed_secret = ''::bytea, previous_sealed_secret = NULL, previous_until = NULL
      WHERE ${ownEndpoint(context, id)} RETURNING p.id
    ), replays AS (
      UPDATE webhook_replays r SET state = 'cancelled' FROM changed c WHERE r.endpoint_id = c.id AND r.state = 'running'
    ), ${audited(context, 'remove', id)} SELECT count(*)::int AS count FROM changed`;
  return row?.count === 1;
}

/** From now on the new secret signs, and beside it the old one for `overlapHours`. Null: the account has no such endpoint. */
export async function rotateSecret(
  context: WebhookContext,
  id: WebhookEndpointId,
  { overlapHours, ...secret }: SecretToSeal & { readonly overlapHours: number },
): Promise<RotateOutcome | null> {
  const [endpoint] = await context.database.side.$queryRaw<WebhookEndpointRecord[]>`
    WITH changed AS (
      UPDATE webhook_endpoints p SET ${newSecret(sealedFor(id, secret), overlapHours)}
      WHERE ${ownEndpoint(context, id)} AND ${mayRotate(overlapHours)}
      RETURNING ${ENDPOINT_COLUMNS}
    ), ${audited(context, 'rotate_secret', id, { overlap_hours: overlapHours })} SELECT * FROM changed`;
  if (endpoint) return { kind: 'rotated', endpoint };
  return (await findEndpoint(context, id)) ? { kind: 'in_progress' } : null;
}
