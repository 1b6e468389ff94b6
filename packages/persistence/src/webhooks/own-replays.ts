import { randomUUID } from 'node:crypto';
import type { WebhookEndpointId, WebhookType } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import { constraintOf } from '../sql-state.ts';
import { audited, findEndpoint } from './own-endpoints.ts';
import type { WebhookContext } from './webhook-context.ts';

export const REPLAYED = ['failed', 'missing', 'failed_and_missing', 'all'] as const;
/** `failed`: also what was dropped. `missing`: what the endpoint never got a delivery of. */
export type Replayed = (typeof REPLAYED)[number];

export interface ReplayRecord {
  readonly id: string;
  readonly endpointId: WebhookEndpointId;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly events: readonly WebhookType[];
  readonly only: Replayed;
  readonly replayed: number;
  readonly state: 'running' | 'done' | 'cancelled';
  readonly createdAtMs: number;
}

export interface NewReplay {
  readonly endpointId: WebhookEndpointId;
  readonly sinceMs: number;
  /** Default: now. */
  readonly untilMs?: number | undefined;
  /** Default: all that the endpoint wants. */
  readonly events?: readonly WebhookType[] | undefined;
  readonly only: Replayed;
}

export type ReplayOutcome =
  | { readonly kind: 'running'; readonly replay: ReplayRecord }
  /** An endpoint has one at a time. */
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'disabled' }
  /** Some of the types are none of those that the endpoint wants. */
  | { readonly kind: 'not_wanted'; readonly wanted: readonly WebhookType[] };

const REPLAY_COLUMNS = Prisma.sql`
  r.id, r.endpoint_id AS "endpointId", epoch_ms(r.since) AS "sinceMs", epoch_ms(r.until) AS "untilMs", r.events, r."only",
  r.replayed, r.state, epoch_ms(r.created_at) AS "createdAtMs"`;

/** Null: the account has no such endpoint. */
export async function createReplay(context: WebhookContext, input: NewReplay): Promise<ReplayOutcome | null> {
  const { database, accountId, actor } = context;
  const { endpointId, sinceMs, untilMs = null, events = [], only } = input;
  const endpoint = await findEndpoint(context, endpointId);
  if (!endpoint) return null;
  if (endpoint.state === 'disabled') return { kind: 'disabled' };
  const wanted = endpoint.events;
  if (wanted.length > 0 && events.some((type) => !wanted.includes(type))) return { kind: 'not_wanted', wanted };
  const data = { since_ms: sinceMs, until_ms: untilMs ?? undefined, events, only };
  try {
    const [replay] = await database.side.$queryRaw<ReplayRecord[]>`
      WITH changed AS (
        INSERT INTO webhook_replays AS r (id, account_id, endpoint_id, since, until, events, "only", end_id, created_by)
        SELECT ${randomUUID()}::uuid, ${accountId}::uuid, ${endpointId}::uuid, from_epoch_ms(${sinceMs}::bigint),
          COALESCE(from_epoch_ms(${untilMs}::bigint), clock_timestamp()), ${events}::text[], ${only},
          (SELECT s.last_value FROM call_events_id_seq s), ${actor}
        RETURNING ${REPLAY_COLUMNS}
      ), ${audited(context, 'replay', endpointId, data)} SELECT * FROM changed`;
    return replay ? { kind: 'running', replay } : null;
  } catch (error) {
    if (constraintOf(error) === 'webhook_replays_running_key') return { kind: 'in_progress' };
    throw error;
  }
}

export async function findReplay(
  { database, accountId }: WebhookContext,
  replayId: string,
): Promise<ReplayRecord | null> {
  const [replay] = await database.side.$queryRaw<ReplayRecord[]>`
    SELECT ${REPLAY_COLUMNS} FROM webhook_replays r WHERE r.id = ${replayId}::uuid AND r.account_id = ${accountId}::uuid`;
  return replay ?? null;
}

/** What it has made due stays due. Null: the account has no such replay. */
export async function cancelReplay(context: WebhookContext, replayId: string): Promise<ReplayRecord | null> {
  await context.database.side.$executeRaw`
    WITH changed AS (
      UPDATE webhook_replays r SET state = 'cancelled'
      WHERE r.id = ${replayId}::uuid AND r.account_id = ${context.accountId}::uuid AND r.state = 'running' RETURNING r.id
    ), ${audited(context, 'cancel_replay', replayId)} SELECT count(*) FROM changed`;
  return findReplay(context, replayId);
}
