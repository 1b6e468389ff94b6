import type { AccountId, WebhookEndpointId } from '@outdial/contracts';
import type { HeardDelivery, Hearing, Listening, ListenerStore } from '@outdial/webhooks';
import type { Database } from '../database.ts';
import { createFinish } from './finish-webhooks.ts';
import { keepBodies } from './keep-bodies.ts';
import { factsOf } from './message-facts.ts';
import { release } from './release-webhooks.ts';

/** Named in the log of attempts: a program of the account made them. */
export const LISTENER = 'listener';
/** Of one look, for all listeners: a body is up to 256 KiB. */
const MOST_HEARD = 100;

type HeardRow =
  | HeardDelivery
  | { readonly messageId: null; readonly endpointId: WebhookEndpointId; readonly accountId: AccountId };

/** Deliveries of listeners in Postgres. On the side pool: nothing here may delay a call. */
export function createListenerStore(
  database: Database,
  { mostHeard = MOST_HEARD }: { readonly mostHeard?: number } = {},
): ListenerStore {
  return {
    hear: (listening) => hear(database, listening, mostHeard),
    factsOf: (messageIds) => factsOf(database, messageIds),
    keepBodies: (bodies) => keepBodies(database, bodies),
    release: (claims) => release(database, claims),
    finish: createFinish(database, { workerId: LISTENER }),
  };
}

async function hear({ side }: Database, listening: readonly Listening[], most: number): Promise<Hearing> {
  const input = {
    most,
    listening: listening.map(({ listenerId, accountId, room }) => ({
      listener_id: listenerId,
      account_id: accountId,
      room,
    })),
  };
  const rows = await side.$queryRaw<HeardRow[]>`
    SELECT listener_id AS "endpointId", account_id AS "accountId", message_id AS "messageId", type,
      epoch_ms(occurred_at) AS "occurredAtMs", call_id AS "callId", attempts AS attempt, tries_left AS "triesLeft",
      api_version AS "apiVersion", sealed_secret AS "sealedSecret", previous_sealed_secret AS "previousSealedSecret", body
    FROM hear_webhooks(${JSON.stringify(input)}::jsonb)`;
  return {
    deliveries: rows.flatMap((row) => (row.messageId === null ? [] : [row])),
    alive: new Set(rows.map(({ endpointId }) => endpointId)),
  };
}
