import type { CampaignRecord } from '@outdial/calls';
import type { CallEventType, CallWebhookType, CampaignWebhookType, WebhookMessageId } from '@outdial/contracts';
import type { MessageFacts, UnreadableMessage } from '@outdial/webhooks';
import { CALL_COLUMNS, toCall, type CallRow } from '../call-row.ts';
import { CAMPAIGN_COLUMNS, CAMPAIGNS } from '../campaigns/campaign-record.ts';
import type { Database } from '../database.ts';
import { isolateRejected } from './isolate-rejected.ts';

interface FactsRow extends CallRow {
  readonly messageId: WebhookMessageId;
  readonly messageType: CallWebhookType;
  readonly eventId: bigint;
  readonly eventAtMs: number;
  readonly eventType: CallEventType;
  readonly eventData: Readonly<Record<string, unknown>>;
}

interface CampaignFactsRow extends CampaignRecord {
  readonly messageId: WebhookMessageId;
  readonly messageType: CampaignWebhookType;
  readonly occurredAtMs: number;
  readonly readAtMs: number;
}

/** What each message is about, read in one snapshot: never older than the event. */
export async function factsOf(
  database: Database,
  messageIds: readonly WebhookMessageId[],
): Promise<readonly (MessageFacts | UnreadableMessage)[]> {
  const ofCalls = await callFactsOf(database, messageIds);
  const known = new Set(ofCalls.map(({ messageId }) => messageId));
  const others = messageIds.filter((id) => !known.has(id));
  return others.length === 0 ? ofCalls : [...ofCalls, ...(await campaignFactsOf(database, others))];
}

function callFactsOf({ side }: Database, messageIds: readonly WebhookMessageId[]) {
  return isolateRejected<WebhookMessageId, MessageFacts | UnreadableMessage>(messageIds, {
    async run(ids) {
      const rows = await side.$queryRaw<FactsRow[]>`
        SELECT ${CALL_COLUMNS}, m.id AS "messageId", m.type AS "messageType", e.id AS "eventId",
          epoch_ms(e.at) AS "eventAtMs", e.type AS "eventType", e.data AS "eventData"
        FROM webhook_messages m JOIN call_events e ON e.id = m.event_id AND e.call_id = m.call_id
          JOIN calls c ON c.id = m.call_id
        WHERE m.id = ANY(${ids}::uuid[])`;
      return rows.map(toFacts);
    },
    rejected: (messageId, error) => [{ messageId, error }],
  });
}

function campaignFactsOf({ side }: Database, messageIds: readonly WebhookMessageId[]) {
  return isolateRejected<WebhookMessageId, MessageFacts | UnreadableMessage>(messageIds, {
    async run(ids) {
      const rows = await side.$queryRaw<CampaignFactsRow[]>`
        SELECT ${CAMPAIGN_COLUMNS}, m.id AS "messageId", m.type AS "messageType",
          epoch_ms(m.occurred_at) AS "occurredAtMs", epoch_ms(clock_timestamp()) AS "readAtMs"
        FROM ${CAMPAIGNS} JOIN webhook_messages m ON m.campaign_id = g.id
        WHERE m.id = ANY(${ids}::uuid[])`;
      return rows.map(({ messageId, messageType: type, occurredAtMs, readAtMs, ...campaign }) => {
        return { messageId, type, occurredAtMs, campaign, readAtMs };
      });
    },
    rejected: (messageId, error) => [{ messageId, error }],
  });
}

/** A row may have a state that this version does not know. */
function toFacts(row: FactsRow): MessageFacts | UnreadableMessage {
  const { messageId } = row;
  try {
    return {
      messageId,
      type: row.messageType,
      occurredAtMs: row.eventAtMs,
      event: { id: row.eventId.toString(), type: row.eventType, atMs: row.eventAtMs, data: row.eventData },
      call: toCall(row),
    };
  } catch (error) {
    return { messageId, error };
  }
}
