import { errorOf, type ApiError } from '../api/api-error.ts';
import { API_ROOT } from '../api/request.ts';
import { createEventReader, type StreamEvent } from './parse-events.ts';

/** `waiting`: the connection is gone and is made anew in a moment. `over`: there is nothing more to come. */
export type StreamState = 'connecting' | 'live' | 'waiting' | 'over';

export interface FollowOptions {
  /** Below `/api/dashboard`. */
  readonly path: string;
  /** Goes on after this event; undefined: from where the stream begins by itself. */
  readonly after?: string | undefined;
  readonly onEvent: (event: StreamEvent) => void;
  readonly onState: (state: StreamState) => void;
  /** The service refused for good: no session, no such call. The stream is over. */
  readonly onRefused?: (error: ApiError) => void;
  /** After so long without a byte the connection is given up. */
  readonly silenceMs?: number;
}

/**
 * The service sends a comment every 15 seconds. Without anything for longer the connection is dead or the service hangs:
 * what is shown may be old, and the reader is told so.
 */
const SILENCE_MS = 20_000;
const BACKOFF_MS = { first: 500, longest: 15_000 } as const;

/**
 * Follows a stream of events until it is over or the function that it gives is called. By fetch and not by `EventSource`,
 * which can neither begin after a given event nor tell a refusal from a connection that broke.
 */
export function followEvents(options: FollowOptions): () => void {
  const stop = new AbortController();
  void follow(options, stop.signal);
  return () => stop.abort();
}

async function follow(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { path, after, onEvent, onState, onRefused, silenceMs = SILENCE_MS } = options;
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
      if (outcome !== 'ended') onRefused?.(outcome);
      return;
    }
    onState('waiting');
    await pause(backoffMs(failures), signal);
    failures += 1;
  }
}

/** With chance in it: all pages of a process that was restarted would come back at the same moment. */
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
    if (!response.ok || response.body === null) return refusalOf(response);
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
    // The end of a stream is asked about once more: if nothing is to come, the answer is 204.
    return 'broken';
  } catch {
    return 'broken';
  } finally {
    clearTimeout(timer);
  }
}

/** A limit or a store that is away passes; everything else stays as it is. */
async function refusalOf(response: Response): Promise<'broken' | ApiError> {
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
