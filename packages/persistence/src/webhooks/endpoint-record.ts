import type { WebhookApiVersion, WebhookEndpointId, WebhookType } from '@outdial/contracts';
import { sealSecret, type SecretKey } from '@outdial/secrets';
import { Prisma } from '../generated/client.ts';

export type EndpointState = 'enabled' | 'disabled';
export type DisabledReason = 'owner' | 'failing' | 'gone' | 'operator';

/** An endpoint as it is shown: nothing of its secret. */
export interface WebhookEndpointRecord {
  readonly id: WebhookEndpointId;
  readonly url: string | null;
  readonly description: string;
  /** Empty: all. */
  readonly events: readonly WebhookType[];
  readonly apiVersion: WebhookApiVersion;
  readonly state: EndpointState;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAtMs: number | null;
  readonly secretMadeAtMs: number;
  /** While two secrets sign. */
  readonly previousUntilMs: number | null;
  readonly ratePerSecond: number | null;
  readonly expiresAtMs: number | null;
  readonly createdAtMs: number;
  /** In a row. */
  readonly failures: number;
  readonly failingSinceMs: number | null;
  /** To the minute. */
  readonly lastSuccessAtMs: number | null;
  /** Of the latest failure, while it fails. */
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly runningReplayId: string | null;
}

/** Among the newest deliveries: an endpoint that fails has its failure there. */
const ofLastFailure = (column: Prisma.Sql) => Prisma.sql`(
  SELECT ${column} FROM (
    SELECT d.last_status, d.last_error FROM webhook_deliveries d
    WHERE d.endpoint_id = p.id ORDER BY d.created_at DESC, d.message_id DESC LIMIT 100
  ) f WHERE f.last_error IS NOT NULL AND EXISTS (SELECT FROM webhook_lanes l WHERE l.lane = p.id AND l.failures > 0) LIMIT 1)`;

/** Columns of an endpoint `p`. */
export const ENDPOINT_COLUMNS = Prisma.sql`
  p.id, p.url, p.description, p.events, p.api_version AS "apiVersion", p.state, p.disabled_reason AS "disabledReason",
  epoch_ms(p.disabled_at) AS "disabledAtMs", epoch_ms(p.secret_made_at) AS "secretMadeAtMs",
  CASE WHEN p.previous_until > clock_timestamp() THEN epoch_ms(p.previous_until) END AS "previousUntilMs",
  p.rate_per_second AS "ratePerSecond", epoch_ms(p.expires_at) AS "expiresAtMs", epoch_ms(p.created_at) AS "createdAtMs",
  COALESCE((SELECT l.failures FROM webhook_lanes l WHERE l.lane = p.id), 0) AS failures,
  (SELECT epoch_ms(l.failing_since) FROM webhook_lanes l WHERE l.lane = p.id) AS "failingSinceMs",
  (SELECT epoch_ms(l.last_success_at) FROM webhook_lanes l WHERE l.lane = p.id) AS "lastSuccessAtMs",
  ${ofLastFailure(Prisma.sql`f.last_status`)} AS "lastStatus", ${ofLastFailure(Prisma.sql`f.last_error`)} AS "lastError",
  (SELECT r.id FROM webhook_replays r WHERE r.endpoint_id = p.id AND r.state = 'running') AS "runningReplayId"`;

/** A secret with the key that seals it; the workers need the same key. */
export interface SecretToSeal {
  readonly secret: string;
  readonly secretKey: SecretKey;
}

/** Bound to the endpoint: copied to another row, the value does not open. */
export function sealedFor(id: WebhookEndpointId, { secret, secretKey }: SecretToSeal): Uint8Array {
  return sealSecret(secretKey, secret, { purpose: 'webhook secret', owner: id });
}

/** Two secrets sign at most. An overlap of 0 ends both at once: a secret that leaked must not sign until its overlap ends. */
export const mayRotate = (overlapHours: number) => Prisma.sql`
  (${overlapHours}::int = 0 OR p.previous_until IS NULL OR p.previous_until <= clock_timestamp())`;

/** Assigns another secret to an endpoint `p`. The one that it has signs beside it for `overlapHours`. */
export const newSecret = (sealed: Uint8Array, overlapHours: number) => Prisma.sql`
  sealed_secret = ${sealed}::bytea, secret_made_at = clock_timestamp(),
  previous_sealed_secret = CASE WHEN ${overlapHours}::int > 0 THEN p.sealed_secret END,
  previous_until = CASE WHEN ${overlapHours}::int > 0
    THEN clock_timestamp() + make_interval(hours => ${overlapHours}::int) END`;
