import type { WebhookApiVersion, WebhookEndpointId, WebhookType } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { ENDPOINT_COLUMNS, type EndpointState, type WebhookEndpointRecord } from './endpoint-record.ts';
import { audited, findEndpoint, ownEndpoint } from './own-endpoints.ts';
import type { WebhookContext } from './webhook-context.ts';

/** Undefined: stays as it is. */
export interface WebhookEndpointChanges {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookType[] | undefined;
  readonly description?: string | undefined;
  readonly state?: EndpointState | undefined;
  /** Null: no limit. */
  readonly ratePerSecond?: number | null | undefined;
  readonly apiVersion?: WebhookApiVersion | undefined;
}

export type UpdateOutcome =
  | { readonly kind: 'updated'; readonly endpoint: WebhookEndpointRecord }
  /** It is to be enabled, and much of what was pending is still to be dropped: repeat it in a while. */
  | { readonly kind: 'draining' }
  /** An operator disabled it, and only an operator enables it. */
  | { readonly kind: 'disabled_by_operator' };

/** Null: the account has no such endpoint. An endpoint that is enabled, or has another URL, counts no failures. */
export async function updateEndpoint(
  context: WebhookContext,
  id: WebhookEndpointId,
  changes: WebhookEndpointChanges,
): Promise<UpdateOutcome | null> {
  const before = await findEndpoint(context, id);
  if (!before) return null;
  const isEnabling = changes.state === 'enabled' && before.state === 'disabled';
  if (isEnabling && before.disabledReason === 'operator') return { kind: 'disabled_by_operator' };
  if (isEnabling && !(await dropPending(context.database, id))) return { kind: 'draining' };
  const [endpoint] = await context.database.side.$queryRaw<WebhookEndpointRecord[]>`
    WITH ${lockedLane(id)}, changed AS (
      UPDATE webhook_endpoints p SET ${assignments(changes)}
      WHERE ${ownEndpoint(context, id)} AND (SELECT count(*) FROM lane) >= 0
        AND ${changes.state === 'enabled' ? BEGINS_CLEAN : Prisma.sql`true`}
      RETURNING ${ENDPOINT_COLUMNS}
    ), ${resetLane(isEnabling || (changes.url !== undefined && changes.url !== before.url))},
    ${audited(context, 'update', id, auditedChanges(changes))} SELECT * FROM changed`;
  if (endpoint) return { kind: 'updated', endpoint };
  return (await findEndpoint(context, id)) ? { kind: 'draining' } : null;
}

/** In any lane of the endpoint. */
export const NOTHING_PENDING = Prisma.sql`NOT EXISTS (
  SELECT FROM webhook_lanes_of(p.id, p.kind) AS o(lane), webhook_deliveries d
  WHERE d.state = 'pending' AND d.lane = o.lane AND d.endpoint_id = p.id)`;

/** An endpoint begins clean when it is enabled; one that is enabled already keeps what is pending. */
const BEGINS_CLEAN = Prisma.sql`(p.state = 'enabled' OR (p.disabled_reason <> 'operator' AND ${NOTHING_PENDING}))`;

/** Before the endpoint, as in every statement that locks both. */
export const lockedLane = (id: WebhookEndpointId) => Prisma.sql`lane AS MATERIALIZED (
  SELECT l.lane FROM webhook_lanes l WHERE l.lane = ${id}::uuid FOR NO KEY UPDATE OF l)`;

export const resetLane = (isReset: boolean) => Prisma.sql`reset AS (
  UPDATE webhook_lanes l SET failures = 0, failing_since = NULL, not_before = '-infinity'
  FROM lane, changed c WHERE l.lane = lane.lane AND l.lane = c.id AND ${isReset})`;

const STATEMENT_ROWS = 5_000;
/** A million pending deliveries take longer than a request: the workers go on. */
const STATEMENTS = 10;

/** @returns whether nothing is left */
export async function dropPending({ side }: Pick<Database, 'side'>, id: WebhookEndpointId): Promise<boolean> {
  for (let statement = 0; statement < STATEMENTS; statement += 1) {
    const [row] = await side.$queryRaw<{ dropped: number }[]>`
      SELECT drop_webhooks_of(p.id, p.kind, ${STATEMENT_ROWS}::int) AS dropped FROM webhook_endpoints p
      WHERE p.id = ${id}::uuid AND p.state = 'disabled'`;
    if ((row?.dropped ?? 0) < STATEMENT_ROWS) return true;
  }
  return false;
}

function assignments(changes: WebhookEndpointChanges): Prisma.Sql {
  const { url = null, events = null, description = null, state, ratePerSecond, apiVersion = null } = changes;
  const parts = [
    Prisma.sql`url = COALESCE(${url}::text, p.url), description = COALESCE(${description}::text, p.description)`,
    Prisma.sql`events = COALESCE(${events}::text[], p.events), api_version = COALESCE(${apiVersion}::text, p.api_version)`,
  ];
  if (ratePerSecond !== undefined) parts.push(Prisma.sql`rate_per_second = ${ratePerSecond}::int`);
  if (state === 'enabled') parts.push(ENABLED);
  if (state === 'disabled') parts.push(disabledBy('owner'));
  return Prisma.join(parts);
}

export const ENABLED = Prisma.sql`state = 'enabled', disabled_at = NULL, disabled_reason = NULL`;

/** One that is disabled keeps its reason. */
export const disabledBy = (reason: 'owner' | 'operator') => Prisma.sql`state = 'disabled',
  disabled_at = COALESCE(p.disabled_at, clock_timestamp()), disabled_reason = COALESCE(p.disabled_reason, ${reason})`;

function auditedChanges({ ratePerSecond, apiVersion, ...others }: WebhookEndpointChanges) {
  return { ...others, rate_per_second: ratePerSecond, api_version: apiVersion };
}
