import { Readable } from 'node:stream';
import type { Clock, Timer } from '@outdial/kernel';

/** One message of a stream (WHATWG HTML, "Server-sent events"). `id` and `type` have no line breaks. */
export interface ServerSentEvent {
  /** Without one, a client that comes back names the last that it had. */
  readonly id?: string;
  readonly type: string;
  /** Sent as JSON, which is one line. */
  readonly data: unknown;
}

/** A body of server-sent events. */
export interface EventStream {
  readonly body: Readable;
  /** A client that has left too much unread is cut off instead. */
  send(events: readonly ServerSentEvent[]): void;
  /** Ends the body in good order, after what was sent. */
  end(): void;
}

/** Of nothing else going on: below the 30 s after which impatient proxies take a connection for dead. */
const HEARTBEAT_MS = 15_000;
/** After which a browser whose stream has ended asks again. */
const RETRY_MS = 2_000;
/** A client for which more than this waits here, beside what its connection holds, gets nothing more. */
const MAX_UNSENT_BYTES = 64 * 1_024;

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Asks proxies of nginx's kind to pass on each event as it comes.
  'X-Accel-Buffering': 'no',
} as const;

export function openEventStream(clock: Clock): EventStream {
  const body = new Readable({ read: () => undefined });
  let heartbeat: Timer;

  function push(text: string): void {
    if (body.destroyed || body.readableEnded || isEnded) return;
    if (body.readableLength > MAX_UNSENT_BYTES)
      body.destroy(new Error('the client reads more slowly than events come'));
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
