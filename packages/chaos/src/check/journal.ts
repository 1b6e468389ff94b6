import { CALL_STATUSES } from '@outdial/contracts';
import type { Received } from '../stack/receivers.ts';

/** An event of a timeline that its account is subscribed to. */
export interface SubscribedEvent {
  readonly id: number;
  readonly accountId: string;
  readonly callId: string;
  /** Of the webhook. */
  readonly type: string;
  /** The status that the event gave its call; null if it gave none. */
  readonly status: string | null;
}

/** What Postgres has about the webhook of an event. */
export interface StoredDelivery {
  readonly eventId: number;
  readonly state: string;
  readonly attempts: number;
  readonly triesLeft: number;
}

export interface Evidence {
  readonly events: readonly SubscribedEvent[];
  readonly deliveries: readonly StoredDelivery[];
  /** In the order of their arrival. */
  readonly received: readonly Received[];
}

/** After three failures of an event, later ones of its call no longer wait for it. */
const TRIES_IN_ORDER = 3;

/**
 * Compares what receivers saw with the timelines, once everything is at rest: each event arrived, with one id and the same
 * bytes each time, those of a call in their order, and nothing else did.
 */
export function journalViolations(evidence: Evidence): readonly string[] {
  return [
    ...evidence.received.flatMap((request) => violationsOf(request)),
    ...unknownRequests(evidence),
    ...differentRepeats(evidence.received),
    ...missingEvents(evidence),
    ...evidence.deliveries.flatMap(unfinished),
    ...overtakingEvents(evidence),
  ];
}

function violationsOf({ isSigned, id, type }: Received): readonly string[] {
  return isSigned ? [] : [`the signature of a webhook is wrong: ${id} (${type})`];
}

function unknownRequests({ events, received }: Evidence): readonly string[] {
  const known = new Map(events.map((event) => [event.id, event]));
  return received.flatMap(({ accountId, callId, eventId, type, callStatus, id }) => {
    const event = known.get(eventId);
    if (event?.accountId !== accountId || event.callId !== callId || event.type !== type)
      return [`a webhook is about no event of its account: ${id} (${type})`];
    return rankOf(callStatus) < rankOf(event.status) ? [`the call in a webhook is older than its event: ${id}`] : [];
  });
}

/** A status that is no state of a call is above none. */
function rankOf(status: string | null): number {
  return CALL_STATUSES.findIndex((known) => known === status);
}

function differentRepeats(received: readonly Received[]): readonly string[] {
  const firstOfEvent = new Map<number, Received>();
  const firstOfId = new Map<string, Received>();
  const violations = new Set<string>();
  for (const request of received) {
    const { id, digest, eventId } = request;
    const earlier = firstOfEvent.get(eventId) ?? request;
    if (earlier.id !== id) violations.add(`one event was sent as ${earlier.id} and as ${id}`);
    else if (earlier.digest !== digest) violations.add(`a webhook was repeated with other bytes: ${id}`);
    // A receiver takes the second for a repetition, and drops it.
    if ((firstOfId.get(id) ?? request).eventId !== eventId) violations.add(`two events were sent as ${id}`);
    if (!firstOfEvent.has(eventId)) firstOfEvent.set(eventId, request);
    if (!firstOfId.has(id)) firstOfId.set(id, request);
  }
  return [...violations];
}

function missingEvents({ events, deliveries, received }: Evidence): readonly string[] {
  const arrived = new Set(received.filter(({ isAnswered }) => isAnswered).map(({ eventId }) => eventId));
  const givenUp = new Set(deliveries.filter(({ state }) => state !== 'delivered').map(({ eventId }) => eventId));
  return events
    .filter(({ id }) => !arrived.has(id) && !givenUp.has(id))
    .map(({ id, type, callId }) => `an event was never delivered: ${id} (${type}) of ${callId}`);
}

function unfinished({ eventId, state, triesLeft }: StoredDelivery): readonly string[] {
  if (state === 'failed' && triesLeft > 0) return [`a delivery failed with ${triesLeft} tries left: event ${eventId}`];
  return ENDS.has(state) ? [] : [`a delivery has not ended: event ${eventId} is ${state}`];
}

const ENDS: ReadonlySet<string> = new Set(['delivered', 'failed', 'dropped']);

/** By the first arrival of each event. */
function overtakingEvents({ deliveries, received }: Evidence): readonly string[] {
  const mayBeOvertaken = new Set(
    deliveries.filter(({ attempts }) => attempts > TRIES_IN_ORDER).map(({ eventId }) => eventId),
  );
  const seen = new Set<number>();
  const latest = new Map<string, number>();
  const violations: string[] = [];
  for (const { callId, eventId, type } of received) {
    if (seen.has(eventId)) continue;
    seen.add(eventId);
    const before = latest.get(callId) ?? 0;
    latest.set(callId, Math.max(before, eventId));
    if (eventId > before || mayBeOvertaken.has(eventId)) continue;
    violations.push(`an event arrived after a later one: ${eventId} (${type}) of ${callId}`);
  }
  return violations;
}
