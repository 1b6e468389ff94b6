import { CALL_EVENT_TYPES, CALL_STATUSES, WEBHOOK_TYPE_OF_EVENT } from '@outdial/contracts';
import type { Stack } from '../stack/stack.ts';
import type { Received } from '../stack/receivers.ts';
import { journalViolations, type StoredDelivery, type SubscribedEvent } from './journal.ts';

type Row = Omit<SubscribedEvent, 'type' | 'status'> & { readonly event: string };

/** Nothing is lost, forged, reordered or repeated differently, by the journal of the receivers. */
export async function webhookViolations({
  sql,
  receivers,
}: Pick<Stack, 'sql' | 'receivers'>): Promise<readonly string[]> {
  const rows = await sql<Row>(`
    SELECT e.id::float8 AS id, c.account_id::text AS "accountId", e.call_id::text AS "callId", e.type::text AS event
    FROM call_events e JOIN calls c ON c.id = e.call_id
    WHERE c.account_id IN (SELECT account_id FROM webhook_endpoints) ORDER BY e.id`);
  const deliveries = await sql<StoredDelivery>(`
    SELECT event_id::float8 AS "eventId", state, attempts, tries_left AS "triesLeft" FROM webhook_deliveries`);
  const ofCampaigns = await sql<SubscribedEvent & { readonly messageId: string }>(`
    SELECT e.id::float8 AS id, g.account_id::text AS "accountId", g.id::text AS "callId", 'campaign.' || e.type AS type,
      NULL AS status, 'msg_' || m.id AS "messageId"
    FROM campaign_events e JOIN campaigns g ON g.id = e.campaign_id LEFT JOIN webhook_messages m ON m.event_id = e.id
    WHERE g.account_id IN (SELECT account_id FROM webhook_endpoints) ORDER BY e.id`);
  const eventOf = new Map(ofCampaigns.map(({ messageId, id }) => [messageId, id]));
  return journalViolations({
    events: [...rows.flatMap(subscribed), ...ofCampaigns],
    deliveries,
    received: receivers.received().map((request) => withEvent(request, eventOf)),
  });
}

/** The body of a webhook about a campaign does not name its event: the message does. */
function withEvent(request: Received, eventOf: ReadonlyMap<string, number>): Received {
  return { ...request, eventId: eventOf.get(request.id) ?? request.eventId };
}

/** Endpoints want all types. */
function subscribed({ event, ...row }: Row): readonly SubscribedEvent[] {
  const known = CALL_EVENT_TYPES.find((type) => type === event);
  const type = known && WEBHOOK_TYPE_OF_EVENT[known];
  if (!type) return [];
  return [{ ...row, type, status: CALL_STATUSES.find((status) => status === event) ?? null }];
}

/** Deliveries that are still to be made, or whose outcome is not stored yet. */
export async function pendingDeliveries({ sql }: Pick<Stack, 'sql'>): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_deliveries WHERE state = 'pending'`,
  );
  return row?.count ?? 0;
}
