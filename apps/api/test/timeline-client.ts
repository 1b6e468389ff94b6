import { callEventSchema, type CallEventBody } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { openEventStream, type EventStreamClient, type StreamMessage } from './event-stream-client.ts';

export interface TimelineClient extends Omit<EventStreamClient, 'messages' | 'until'> {
  /** The events received. Throws if one breaks the contract. */
  events(): readonly CallEventBody[];
  /** Resolves once this many have been received. */
  until(count: number): Promise<readonly CallEventBody[]>;
}

export interface TimelineRequest {
  readonly callId: string;
  readonly key: string;
  readonly lastEventId?: string;
}

/** Requests a call's timeline as server-sent events. */
export async function openTimeline(url: string, request: TimelineRequest): Promise<TimelineClient> {
  const { callId, key, ...rest } = request;
  const path = `/api/v1/outbound/calls/${callId}/events`;
  const { messages, until, ...stream } = await openEventStream(url, { path, headers: { 'X-API-Key': key }, ...rest });
  return {
    ...stream,
    events: () => messages().map(toEvent),
    until: async (count) => (await until(({ length }) => length >= count)).map(toEvent),
  };
}

function toEvent({ id, type, data }: StreamMessage): CallEventBody {
  const event = callEventSchema.parse(JSON.parse(data));
  invariant(id === event.id && type === event.type, 'an event says the same twice');
  return event;
}
