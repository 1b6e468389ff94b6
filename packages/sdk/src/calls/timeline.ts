import type { Clock } from '../clock.ts';
import { ConnectionError, RateLimitedError, ServerError, ServiceUnavailableError } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { connectionFailed } from '../http/transport.ts';
import type { CallEvent } from '../types.ts';
import { readEvents } from './read-events.ts';

export interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
  /** Begin after the event with this id. */
  readonly lastEventId?: string | undefined;
}

/** For how long no server needs to answer before following gives up. */
export const PATIENCE_MS = 300_000;
const PAUSE_MS = 2_000;

export interface Following {
  readonly api: Pick<Api, 'open'>;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * What is on a call's timeline after an event, over one connection. `over`: the server says that nothing follows;
 * `closed`: it has closed the connection, as at its own end. `heard` is called while the server is there, also between
 * events: a scheduled call may have none for days.
 * @throws ConnectionError if the connection breaks, or carries no events, as behind a proxy that changes them
 */
export async function* readTimeline(
  { api, clock }: Following,
  callId: string,
  { signal, lastEventId }: FollowOptions,
  heard: () => void,
): AsyncGenerator<CallEvent, 'over' | 'closed', undefined> {
  const position = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
  const headers = { Accept: 'text/event-stream', ...position };
  const path = `/api/v1/outbound/calls/${encodeURIComponent(callId)}/events`;
  const response = await api.open(path, headers, signal);
  if (response.status === 204) return 'over';
  const { body } = response;
  if (body === null || response.headers.get('Content-Type')?.startsWith('text/event-stream') !== true) {
    await body?.cancel();
    throw connectionFailed(new Error('the answer is no event stream'));
  }
  for await (const { event, data } of readEvents(body, clock, signal, heard)) {
    // What is being said belongs to the call, and not to its timeline.
    if (event === 'turn') continue;
    const parsed: CallEvent = JSON.parse(data);
    yield parsed;
  }
  return 'closed';
}

/** The timeline of a call, from its beginning or after an event, to its end: over as many connections as it takes. */
export async function* followTimeline(
  following: Following,
  callId: string,
  { signal, lastEventId }: FollowOptions = {},
): AsyncGenerator<CallEvent, void, undefined> {
  const { clock, random } = following;
  let [position, hasEnded, heardAtMs] = [lastEventId, false, clock.nowMs()];
  const heard = () => void (heardAtMs = clock.nowMs());
  for (;;) {
    try {
      const timeline = readTimeline(following, callId, { signal, lastEventId: position }, heard);
      for (;;) {
        const { done, value } = await timeline.next();
        if (done === true) {
          if (value === 'over' || hasEnded) return;
          break;
        }
        position = value.id;
        hasEnded ||= value.type === 'ended';
        yield value;
      }
    } catch (error) {
      if (!isPassing(error) || clock.nowMs() - heardAtMs > PATIENCE_MS) throw error;
    }
    await clock.sleep(PAUSE_MS * (0.5 + random() / 2), signal);
  }
}

/** Whether the service may answer again in a while. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof ServiceUnavailableError ||
    error instanceof RateLimitedError ||
    error instanceof ServerError
  );
}
