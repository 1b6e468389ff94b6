import { errorOf, type ApiError } from '../api/api-error.ts';
import { API_ROOT } from '../api/request.ts';
import { createEventReader, type StreamEvent } from './parse-events.ts';

/** `waiting`: the connection broke and reconnects in a moment. `over`: no more events will come. */
export type StreamState = 'connecting' | 'live' | 'waiting' | 'over';

export interface FollowOptions {
  /** Below `/api/dashboard`. */
  readonly path: string;
  /** Resumes after this event. Undefined: starts where the stream starts by default. */
  readonly after?: string | undefined;
  readonly onEvent: (event: StreamEvent) => void;
  readonly onState: (state: StreamState) => void;
  /** The service rejected the stream: no session, no such call. The stream is over. */
  readonly onRejected?: (error: ApiError) => void;
  /** Closes the connection after this time without a byte. */
  readonly silenceMs?: number;
}

/**
 * The service sends a comment every 15 seconds. A longer silence means a dead connection or a hanging service, and the
 * page must say that its data may be old.
 */
const SILENCE_MS = 20_000;
const BACKOFF_MS = { first: 500, longest: 15_000 } as const;

/**
 * Follows a stream of events until it is over or the returned function is called. It uses fetch because `EventSource`
 * can neither start after a given event nor distinguish a rejection from a broken connection.
 */
export function followEvents(options: FollowOptions): () => void {
  const stop = new AbortController();
  void follow(options, stop.signal);
  return () => stop.abort();
}

async function follow(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { path, after, onEvent, onState, onRejected, silenceMs = SILENCE_MS } = options;
  let lastEventId = after;
  let failures = 0;
  const note = (event: StreamEvent) => {
    if (event.id !== null) lastEventId = event.id;
    onEvent(event);
  };
  while (!signal.aborted) {
    onState(failures === 0 ? 'connecting' : 'waiting');
    const onOpen = () => {
      failures = 0;
      if (!signal.aborted) onState('live');
    };
    const outcome = await readOnce({ path, after: lastEventId, onOpen, onEvent: note, signal, silenceMs });
    if (signal.aborted) return;
    if (outcome !== 'broken') {
      onState('over');
      if (outcome !== 'ended') onRejected?.(outcome);
      return;
    }
    onState('waiting');
    await pause(backoffMs(failures), signal);
    failures += 1;
  }
}

/** With jitter: after a restart of the service all pages would reconnect at the same moment. */
function backoffMs(failures: number): number {
  return Math.min(BACKOFF_MS.first * 2 ** failures, BACKOFF_MS.longest) * (0.5 + Math.random() / 2);
}

interface Connection {
  readonly path: string;
  readonly after: string | undefined;
  readonly onOpen: () => void;
  readonly onEvent: (event: StreamEvent) => void;
  readonly signal: AbortSignal;
  readonly silenceMs: number;
}

async function readOnce(connection: Connection): Promise<'ended' | 'broken' | ApiError> {
  const { path, after, onOpen, onEvent, signal, silenceMs } = connection;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const response = await fetch(`${API_ROOT}${path}`, {
      headers: { Accept: 'text/event-stream', ...(after === undefined ? {} : { 'Last-Event-ID': after }) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status === 204) return 'ended';
    if (!response.ok || response.body === null) return rejectionOf(response);
    onOpen();
    const read = createEventReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      for (const event of read(part.value)) {
        if (signal.aborted) return 'broken';
        onEvent(event);
      }
    }
    // Reconnect after the end of a stream: the service answers 204 if there is no more to come.
    return 'broken';
  } catch {
    return 'broken';
  } finally {
    clearTimeout(timer);
  }
}

/** A rate limit or a store outage passes; every other error is final. */
async function rejectionOf(response: Response): Promise<'broken' | ApiError> {
  if (response.status === 429 || response.status >= 500) return 'broken';
  return errorOf(response);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
