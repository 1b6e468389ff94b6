import type { CallEvent } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { presentEvent } from '@outdial/presentation';
import { EVENT_STREAM_HEADERS, type ServerSentEvent } from '../../http/event-stream.ts';
import { invalidRequest } from '../../http/api-error.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import type { StreamReply } from '../../http/reply.ts';
import type { OpenStreams } from '../../live/open-streams.ts';
import type { TimelineHub } from '../../live/timeline-hub.ts';
import type { TurnHub } from '../../live/turn-hub.ts';
import type { StreamPosition } from './stream-position.ts';

export interface StreamEventsDeps {
  readonly streams: Pick<OpenStreams, 'open'>;
  readonly timelines: Pick<TimelineHub, 'follow'>;
  readonly turns: Pick<TurnHub, 'follow'>;
  readonly clock: Clock;
}

export interface TimelineRequest {
  readonly principal: AccountPrincipal;
  readonly callId: CallId;
  /** The timeline so far. */
  readonly events: readonly CallEvent[];
  /** What the client has. */
  readonly position: StreamPosition;
  readonly isHead: boolean;
}

/** How long after `ended` a stream waits for `analyzed`. An analysis usually takes seconds; a failed one is tried for longer. */
const ANALYSIS_WAIT_MS = 120_000;

/**
 * The timeline as server-sent events, to its end, with the turns of a call that has not ended. A client that already has all of it receives 204, which stops an
 * EventSource: otherwise it would take the end of the stream for a lost connection and reconnect forever.
 * @throws ApiError
 */
export function streamEvents(deps: StreamEventsDeps, request: TimelineRequest): StreamReply {
  const { principal, callId, isHead, position } = request;
  const unseen = unseenOf(request);
  const { clock } = deps;
  const isOver = (events: readonly CallEvent[]) => moreForMs(events, clock.nowMs()) === 0;
  if (unseen.length === 0 && isOver(request.events)) {
    return { status: 204, headers: { 'Cache-Control': 'no-store' }, stream: null };
  }
  if (isHead) return { status: 200, headers: EVENT_STREAM_HEADERS, stream: null };
  const stream = deps.streams.open(principal);
  const send = (events: readonly CallEvent[]) => {
    stream.send(throughEnd(events).map(toMessage));
    endAfter(moreForMs(events, clock.nowMs()));
  };
  const endAfter = (forMs: number) => {
    if (forMs === 0) return stream.end();
    if (forMs === Infinity) return;
    const limit = clock.after(forMs, () => stream.end());
    stream.body.once('close', () => limit.cancel());
  };
  if (unseen.length > 0) stream.send(unseen.map(toMessage));
  endAfter(moreForMs(request.events, clock.nowMs()));
  if (!isOver(request.events)) {
    const afterId = request.events.at(-1)?.id ?? '0';
    const unfollow = deps.timelines.follow({ callId, afterId }, send);
    stream.body.once('close', unfollow);
  }
  if (!request.events.some(({ type }) => type === 'ended')) {
    const { fromIndex } = position;
    // Without an id: the client keeps that of the last event.
    const unfollow = deps.turns.follow({ callId, fromIndex }, (turns) =>
      stream.send(turns.map((turn) => ({ type: 'turn', data: turn }))),
    );
    stream.body.once('close', unfollow);
  }
  return { status: 200, headers: EVENT_STREAM_HEADERS, stream: stream.body };
}

/** @throws ApiError if the last event does not belong to this call: ids increase, and the position would be unknown. */
function unseenOf({ events, position: { eventId } }: TimelineRequest): readonly CallEvent[] {
  const streamed = throughEnd(events);
  if (eventId === null) return streamed;
  const index = events.findIndex(({ id }) => id === eventId);
  if (index >= 0) return streamed.slice(index + 1);
  throw invalidRequest([{ param: 'Last-Event-ID', message: 'must be the id of one of this call’s events' }]);
}

/** For how long an event may still follow these: `ended` is the last one, unless it says that an analysis is pending. */
function moreForMs(events: readonly CallEvent[], nowMs: number): number {
  const end = events.find(({ type }) => type === 'ended');
  if (events.some(({ type }) => type === 'analyzed')) return 0;
  if (end === undefined) return Infinity;
  return awaitsAnalysis(end) ? Math.max(0, end.atMs + ANALYSIS_WAIT_MS - nowMs) : 0;
}

/** What a stream carries. A recording that is ready after the end is read from the list, unless an analysis is awaited. */
function throughEnd(events: readonly CallEvent[]): readonly CallEvent[] {
  const index = events.findIndex(({ type }) => type === 'ended');
  const end = events[index];
  return end === undefined || awaitsAnalysis(end) ? events : events.slice(0, index + 1);
}

const awaitsAnalysis = (end: CallEvent) => end.data['analysis_status'] === 'pending';

function toMessage(event: CallEvent): ServerSentEvent {
  return { id: event.id, type: event.type, data: presentEvent(event) };
}
