import { Readable } from 'node:stream';
import type { Clock, Timer } from '@outdial/kernel';

/** One message of a stream (WHATWG HTML, "Server-sent events"). `id` and `type` contain no line breaks. */
export interface ServerSentEvent {
  /** The id from which a returning client resumes. Without one, the client names the last id that it received. */
  readonly id?: string;
  readonly type: string;
  /** Sent as JSON on one line. */
  readonly data: unknown;
}

/** A body of server-sent events. */
export interface EventStream {
  readonly body: Readable;
  /** Sends a message, or disconnects a client that has left too much unread. */
  send(events: readonly ServerSentEvent[]): void;
  /** Ends the body cleanly, after the messages sent so far. */
  end(): void;
}

/** Keep-alive interval: below the 30 s after which impatient proxies close an idle connection. */
const HEARTBEAT_MS = 15_000;
/** After this delay a browser reconnects when its stream has ended. */
const RETRY_MS = 2_000;
/** A client is disconnected when more than this is buffered here, beyond what its connection holds. */
const MAX_UNSENT_BYTES = 64 * 1_024;

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // nginx and compatible proxies then do not buffer events.
  'X-Accel-Buffering': 'no',
} as const;

export function openEventStream(clock: Clock): EventStream {
  const body = new Readable({ read: () => undefined });
  let heartbeat: Timer;

  function push(text: string): void {
    if (body.destroyed || body.readableEnded || isEnded) return;
    if (body.readableLength > MAX_UNSENT_BYTES)
      body.destroy(new Error('the client reads more slowly than events arrive'));
    else body.push(text);
  }

  function beat(): void {
    heartbeat = clock.after(HEARTBEAT_MS, () => {
      push(': still here\n\n');
      beat();
    });
  }

  let isEnded = false;
  push(`retry: ${RETRY_MS}\n\n`);
  beat();
  body.once('close', () => heartbeat.cancel());
  return {
    body,
    send: (events) => push(events.map(toText).join('')),
    end() {
      if (isEnded || body.destroyed) return;
      isEnded = true;
      body.push(null);
    },
  };
}

function toText({ id, type, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
