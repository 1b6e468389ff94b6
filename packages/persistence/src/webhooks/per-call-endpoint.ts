import { randomUUID } from 'node:crypto';
import { LATEST_WEBHOOK_API_VERSION, webhookEndpointIdSchema, type WebhookEndpointId } from '@outdial/contracts';
import { sealedFor, type SecretToSeal } from './endpoint-record.ts';
import { audited } from './own-endpoints.ts';
import type { WebhookContext } from './webhook-context.ts';

/** The endpoint of the URLs that requests to place calls name. */
export interface PerCallEndpoint {
  readonly id: WebhookEndpointId;
  readonly secretMadeAtMs: number;
}

export async function findPerCallEndpoint({ database, accountId }: WebhookContext): Promise<PerCallEndpoint | null> {
  const [endpoint] = await database.side.$queryRaw<PerCallEndpoint[]>`
    SELECT p.id, epoch_ms(p.secret_made_at) AS "secretMadeAtMs" FROM webhook_endpoints p
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

/** Makes the endpoint or replaces its secret, at once: the old one signs no more. */
export async function setPerCallSecret(context: WebhookContext, secret: SecretToSeal): Promise<PerCallEndpoint> {
  if (await ensurePerCallEndpoint(context, secret)) {
    const made = await findPerCallEndpoint(context);
    if (made) return made;
  }
  const endpoint = await findPerCallEndpoint(context);
  if (!endpoint) return setPerCallSecret(context, secret);
  const { id } = endpoint;
  const [rotated] = await context.database.side.$queryRaw<PerCallEndpoint[]>`
    WITH changed AS (
      UPDATE webhook_endpoints p SET sealed_secret = ${sealedFor(id, secret)}::bytea, secret_made_at = clock_timestamp()
      WHERE p.id = ${id}::uuid AND p.account_id = ${context.accountId}::uuid
      RETURNING p.id, epoch_ms(p.secret_made_at) AS "secretMadeAtMs"
    ), ${audited(context, 'rotate_secret', id)} SELECT * FROM changed`;
  return rotated ?? endpoint;
}
