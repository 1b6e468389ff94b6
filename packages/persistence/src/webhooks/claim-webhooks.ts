import { parseTraceParent } from '@outdial/kernel';
import type { Claim, ClaimedDelivery, ClaimLimits } from '@outdial/webhooks';
import type { Database } from '../database.ts';

type StoredDelivery = Omit<ClaimedDelivery, 'traceParent'> & { readonly traceParent: string | null };

/** A claimed delivery, or the last row, which has no message. */
type ClaimRow =
  | (StoredDelivery & { readonly nextLane: null; readonly nextDueInMs: null })
  | { readonly messageId: null; readonly nextLane: string | null; readonly nextDueInMs: number | null };

/** Each claim goes on with the lanes after those of the one before, so that every lane has its turn. */
export function createClaim(
  { side }: Database,
  { maxLanes }: { readonly maxLanes: number },
): (limits: ClaimLimits) => Promise<Claim> {
  let afterLane: string | null = null;
  return async ({ freeSlots, freeSlotsForHealthyLanes, perAccount }) => {
    const input = {
      free_slots: freeSlots,
      free_slots_for_healthy_lanes: freeSlotsForHealthyLanes,
      after_lane: afterLane,
      max_lanes: maxLanes,
      most_per_account: perAccount?.most,
      in_flight: perAccount && Object.fromEntries(perAccount.inFlight),
    };
    const rows = await side.$queryRaw<ClaimRow[]>`
      SELECT message_id AS "messageId", endpoint_id AS "endpointId", account_id AS "accountId", lane AS "laneId", kind, url,
        type, epoch_ms(occurred_at) AS "occurredAtMs", call_id AS "callId", attempts AS attempt, tries_left AS "triesLeft",
        is_healthy AS "laneIsHealthy", api_version AS "apiVersion", sealed_secret AS "sealedSecret",
        previous_sealed_secret AS "previousSealedSecret", body,
        -- OFFSET 0 keeps it a look-up for each row.
        (SELECT c.trace_parent FROM calls c WHERE c.id = w.call_id OFFSET 0) AS "traceParent", next_lane AS "nextLane",
        GREATEST(0, epoch_ms(next_due_at) - epoch_ms(clock_timestamp())) AS "nextDueInMs"
      FROM claim_webhooks(${JSON.stringify(input)}::jsonb) w`;
    const last = rows.find((row) => row.messageId === null);
    afterLane = last?.nextLane ?? null;
    return {
      deliveries: rows.flatMap((row) => (row.messageId === null ? [] : [toDelivery(row)])),
      hasMoreLanes: afterLane !== null,
      nextDueInMs: last?.nextDueInMs ?? null,
    };
  };
}

function toDelivery({ nextLane: _lane, nextDueInMs: _due, ...delivery }: ClaimRow & StoredDelivery): ClaimedDelivery {
  return { ...delivery, traceParent: parseTraceParent(delivery.traceParent) };
}
