import { randomUUID } from 'node:crypto';
import {
  LATEST_WEBHOOK_API_VERSION,
  webhookEndpointIdSchema,
  type AccountId,
  type CallId,
  type WebhookEndpointId,
  type WebhookType,
} from '@outdial/contracts';
import type {
  AttemptVerdict,
  Claim,
  ClaimedDelivery,
  ClaimLimits,
  FinishedAttempt,
  WebhookStore,
} from '@outdial/webhooks';
import type { Database } from '../src/index.ts';
import type { Party, World } from './world.ts';

export interface EndpointOptions {
  readonly kind?: 'standing' | 'per_call' | 'listener';
  readonly events?: readonly WebhookType[];
  readonly state?: 'enabled' | 'disabled';
  readonly ratePerSecond?: number | null;
  readonly maxInFlight?: number;
  readonly expiresInMs?: number;
}

/** A row as the administration makes it, without its audit. */
export async function plantEndpoint(
  { side }: Database,
  accountId: AccountId,
  options: EndpointOptions = {},
): Promise<WebhookEndpointId> {
  const { kind = 'standing', events = [], state = 'enabled', ratePerSecond = null, maxInFlight = 10 } = options;
  const id = webhookEndpointIdSchema.parse(randomUUID());
  const expiresInMs = options.expiresInMs ?? (kind === 'listener' ? 60_000 : null);
  await side.$executeRaw`
    INSERT INTO webhook_endpoints (id, account_id, kind, url, events, api_version, state, disabled_at, disabled_reason,
      sealed_secret, rate_per_second, max_in_flight, expires_at, created_by)
    VALUES (${id}::uuid, ${accountId}::uuid, ${kind}, ${kind === 'standing' ? 'https://receiver.example/hooks' : null},
      ${events}::text[], ${LATEST_WEBHOOK_API_VERSION}, ${state},
      CASE WHEN ${state} = 'disabled' THEN now() END, CASE WHEN ${state} = 'disabled' THEN 'owner' END,
      ${Buffer.from('sealed')}::bytea, ${ratePerSecond}::int, ${maxInFlight}::int,
      clock_timestamp() + ${expiresInMs}::int * interval '1 millisecond', 'test')`;
  return id;
}

export interface StoredDelivery {
  readonly messageId: string;
  readonly endpointId: WebhookEndpointId;
  readonly laneId: string;
  readonly callId: string | null;
  readonly eventId: bigint | null;
  readonly type: WebhookType;
  readonly state: 'pending' | 'delivered' | 'failed' | 'dropped';
  readonly attempts: number;
  readonly triesLeft: number;
  /** From now. */
  readonly dueInMs: number;
}

/** In the order of their events. */
export async function deliveriesTo(
  { side }: Database,
  endpointId: WebhookEndpointId,
): Promise<readonly StoredDelivery[]> {
  return side.$queryRaw<StoredDelivery[]>`
    SELECT message_id AS "messageId", endpoint_id AS "endpointId", lane AS "laneId", call_id AS "callId",
      event_id AS "eventId", type, state, attempts, tries_left AS "triesLeft",
      epoch_ms(due_at) - epoch_ms(clock_timestamp()) AS "dueInMs"
    FROM webhook_deliveries WHERE endpoint_id = ${endpointId}::uuid ORDER BY event_id, created_at, message_id`;
}

export const PLENTY: ClaimLimits = { freeSlots: 1_000, freeSlotsForHealthyLanes: 0 };

export async function claimAll(store: WebhookStore, limits: ClaimLimits = PLENTY): Promise<readonly ClaimedDelivery[]> {
  const deliveries: ClaimedDelivery[] = [];
  let claim: Claim;
  do {
    claim = await store.claim(limits);
    deliveries.push(...claim.deliveries);
  } while (claim.hasMoreLanes);
  return deliveries;
}

export const RETRY_LATER: AttemptVerdict = { kind: 'retry', dueInMs: 300_000, laneDelayMs: 0 };

export function attemptOf(
  { messageId, endpointId, laneId, attempt }: Pick<ClaimedDelivery, 'messageId' | 'endpointId' | 'laneId' | 'attempt'>,
  verdict: AttemptVerdict = { kind: 'delivered' },
): FinishedAttempt {
  const isDelivered = verdict.kind === 'delivered';
  return {
    messageId,
    endpointId,
    laneId,
    attempt,
    startedAtMs: Date.now(),
    durationMs: 12,
    status: isDelivered ? 200 : 500,
    error: isDelivered ? null : 'status',
    responseHeaders: { 'content-type': 'text/plain' },
    responseBody: 'answer',
    verdict,
  };
}

/**
 * Makes everything that is pending for an endpoint due now, as if its time had passed. The columns have milliseconds: a
 * time that they round up would still be ahead when the next statement claims.
 */
export async function passTime({ side }: Database, endpointId: WebhookEndpointId): Promise<void> {
  await side.$executeRaw`
    UPDATE webhook_deliveries SET due_at = LEAST(due_at, date_trunc('milliseconds', clock_timestamp())),
      claimed_until = LEAST(claimed_until, date_trunc('milliseconds', clock_timestamp()))
    WHERE endpoint_id = ${endpointId}::uuid AND state = 'pending'`;
}

/** `count` queued calls, and so as many pending deliveries for each endpoint of the account. */
export async function queue(
  world: World,
  party: Party,
  count: number,
  webhookUrl?: string,
): Promise<readonly CallId[]> {
  const changes = webhookUrl === undefined ? {} : { webhookUrl };
  const calls = await Promise.all(Array.from({ length: count }, () => world.queued(party, changes)));
  return calls.map(({ id }) => id);
}

/** One call with `queued`, `dialing` and `ringing`. */
export async function ringing(world: World, party: Party): Promise<CallId> {
  const { id, startedAtMs } = await world.claimed(party);
  await world.drives.advance({ callId: id, epoch: 1, to: 'ringing', atMs: startedAtMs, sipCode: 180 });
  return id;
}
