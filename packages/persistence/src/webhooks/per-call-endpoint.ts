import { randomUUID } from 'node:crypto';
import { LATEST_WEBHOOK_API_VERSION, webhookEndpointIdSchema, type WebhookEndpointId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { Prisma } from '../generated/client.ts';
import { mayRotate, newSecret, sealedFor, type SecretToSeal } from './endpoint-record.ts';
import { audited } from './own-endpoints.ts';
import type { WebhookContext } from './webhook-context.ts';

/** The endpoint of the URLs that requests to place calls name. */
export interface PerCallEndpoint {
  readonly id: WebhookEndpointId;
  readonly secretMadeAtMs: number;
  /** While two secrets sign. */
  readonly previousUntilMs: number | null;
}

const COLUMNS = Prisma.sql`p.id, epoch_ms(p.secret_made_at) AS "secretMadeAtMs",
  CASE WHEN p.previous_until > clock_timestamp() THEN epoch_ms(p.previous_until) END AS "previousUntilMs"`;

export async function findPerCallEndpoint({ database, accountId }: WebhookContext): Promise<PerCallEndpoint | null> {
  const [endpoint] = await database.side.$queryRaw<PerCallEndpoint[]>`
    SELECT ${COLUMNS} FROM webhook_endpoints p
    WHERE p.account_id = ${accountId}::uuid AND p.kind = 'per_call'`;
  return endpoint ?? null;
}

/** Makes it for the account's first call that names a URL. Calls at once make one. Returns whether this one did. */
export async function ensurePerCallEndpoint(context: WebhookContext, secret: SecretToSeal): Promise<boolean> {
  const { database, accountId, actor } = context;
  if (await findPerCallEndpoint(context)) return false;
  const id = webhookEndpointIdSchema.parse(randomUUID());
  const [row] = await database.side.$queryRaw<{ count: number }[]>`
    WITH changed AS (
      INSERT INTO webhook_endpoints (id, account_id, kind, api_version, sealed_secret, created_by)
      VALUES (${id}::uuid, ${accountId}::uuid, 'per_call', ${LATEST_WEBHOOK_API_VERSION},
        ${sealedFor(id, secret)}::bytea, ${actor})
      ON CONFLICT (account_id) WHERE kind = 'per_call' DO NOTHING RETURNING id
    ), ${audited(context, 'create', id, { kind: 'per_call' })} SELECT count(*)::int AS count FROM changed`;
  return row?.count === 1;
}

export type PerCallSecretOutcome =
  | { readonly kind: 'set'; readonly endpoint: PerCallEndpoint }
  /** Two secrets sign already. */
  | { readonly kind: 'in_progress'; readonly previousUntilMs: number | null };

/** Makes the endpoint, or gives it another secret: the old one signs beside it for `overlapHours`. */
export async function setPerCallSecret(
  context: WebhookContext,
  { overlapHours, ...secret }: SecretToSeal & { readonly overlapHours: number },
): Promise<PerCallSecretOutcome> {
  const isMade = await ensurePerCallEndpoint(context, secret);
  const endpoint = await findPerCallEndpoint(context);
  invariant(endpoint !== null, 'the endpoint of calls’ URLs is never deleted');
  if (isMade) return { kind: 'set', endpoint };
  const { id } = endpoint;
  const [rotated] = await context.database.side.$queryRaw<PerCallEndpoint[]>`
    WITH changed AS (
      UPDATE webhook_endpoints p SET ${newSecret(sealedFor(id, secret), overlapHours)}
      WHERE p.id = ${id}::uuid AND p.account_id = ${context.accountId}::uuid AND ${mayRotate(overlapHours)}
      RETURNING ${COLUMNS}
    ), ${audited(context, 'rotate_secret', id, { overlap_hours: overlapHours })} SELECT * FROM changed`;
  if (rotated) return { kind: 'set', endpoint: rotated };
  return { kind: 'in_progress', previousUntilMs: (await findPerCallEndpoint(context))?.previousUntilMs ?? null };
}
