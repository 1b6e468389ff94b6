import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { invariant } from '@outdial/kernel';
import { createParser } from 'eventsource-parser';

/** One message as it was on the wire. */
export interface StreamMessage {
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly data: string;
}

export interface EventStreamClient {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Everything so far, as it was on the wire. */
  text(): string;
  /** The complete messages in it. */
  readonly messages: () => readonly StreamMessage[];
  /** Resolves once they satisfy the predicate. */
  readonly until: (isEnough: (messages: readonly StreamMessage[]) => boolean) => Promise<readonly StreamMessage[]>;
  /** Resolves when the server has ended the body; `whole` if it ended cleanly. */
  readonly ended: Promise<{ readonly whole: boolean }>;
  /** Stops reading, and keeps the connection. */
  stopReading(): void;
  hangUp(): void;
}

export interface EventStreamRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lastEventId?: string;
}

/** Requests server-sent events. Retries after a 503, which a busy machine may answer. */
export async function openEventStream(url: string, request: EventStreamRequest): Promise<EventStreamClient> {
  for (;;) {
    const stream = await ask(url, request);
    if (stream.status !== 503) return stream;
    await stream.ended;
    await sleep(50 + 50 * Math.random());
  }
}

async function ask(url: string, { path, headers, lastEventId }: EventStreamRequest): Promise<EventStreamClient> {
  const sent = get(`${url}${path}`, {
    // Its own connection, which is not reused.
    agent: false,
    headers: {
      Accept: 'text/event-stream',
      ...headers,
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
  });
  sent.on('error', () => undefined);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  invariant(response, 'there is a response');
  let text = '';
  const complete: StreamMessage[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => void complete.push({ id, type: event, data }),
  });
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    parser.feed(chunk);
  });
  response.on('error', () => undefined);
  const ended = new Promise<{ readonly whole: boolean }>((resolve) =>
    response.once('close', () => resolve({ whole: response.complete })),
  );
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    messages: () => complete,
    async until(isEnough) {
      while (!isEnough(complete)) {
        invariant(!response.closed, 'enough comes before the end');
        await Promise.race([ended, new Promise((resolve) => response.once('data', resolve))]);
      }
      return [...complete];
    },
    ended,
    stopReading: () => void response.pause(),
    hangUp: () => void sent.destroy(),
  };
}
