import type { CallEventType, CallWebhookType, WebhookMessageId } from '@outdial/contracts';
import type { MessageFacts, UnreadableMessage } from '@outdial/webhooks';
import { CALL_COLUMNS, toCall, type CallRow } from '../call-row.ts';
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

/** One snapshot of events and calls, so that a call is never older than its event. */
export function factsOf(
  { side }: Database,
  messageIds: readonly WebhookMessageId[],
): Promise<readonly (MessageFacts | UnreadableMessage)[]> {
  return isolateRejected(messageIds, {
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
