import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { callEventSchema, type CallEventBody } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';

export interface TimelineClient {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What came so far, as it stood on the wire. */
  text(): string;
  /** The events in it that are complete. Throws if one is not as promised. */
  events(): readonly CallEventBody[];
  /** Resolves once that many have come. */
  until(count: number): Promise<readonly CallEventBody[]>;
  /** Resolves when the server has ended the body; `whole` if in good order. */
  readonly ended: Promise<{ readonly whole: boolean }>;
  /** Reads no more, and keeps the connection. */
  stopReading(): void;
  hangUp(): void;
}

export interface TimelineRequest {
  readonly callId: string;
  readonly key: string;
  readonly lastEventId?: string;
}

/** Asks for a call's timeline as server-sent events; again after a 503, which a machine that is busy enough gives. */
export async function openTimeline(url: string, request: TimelineRequest): Promise<TimelineClient> {
  for (;;) {
    const timeline = await ask(url, request);
    if (timeline.status !== 503) return timeline;
    await timeline.ended;
    await sleep(50 + 50 * Math.random());
  }
}

async function ask(url: string, { callId, key, lastEventId }: TimelineRequest): Promise<TimelineClient> {
  const sent = get(`${url}/api/v1/outbound/calls/${callId}/events`, {
    // A connection of its own, which nobody waits to use again.
    agent: false,
    headers: {
      Accept: 'text/event-stream',
      'X-API-Key': key,
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
  });
  sent.on('error', () => undefined);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  invariant(response, 'there is a response');
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  response.on('error', () => undefined);
  const ended = new Promise<{ readonly whole: boolean }>((resolve) =>
    response.once('close', () => resolve({ whole: response.complete })),
  );
  const events = () => parseEvents(text);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    events,
    async until(count) {
      while (events().length < count) {
        invariant(!response.closed, `${count} events come before the end`);
        await Promise.race([ended, new Promise((resolve) => response.once('data', resolve))]);
      }
      return events();
    },
    ended,
    stopReading: () => void response.pause(),
    hangUp: () => void sent.destroy(),
  };
}

function parseEvents(text: string): readonly CallEventBody[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), valueOf(line)]));
    const data = fields.get('data');
    if (data === undefined) return [];
    const event = callEventSchema.parse(JSON.parse(data));
    invariant(fields.get('id') === event.id && fields.get('event') === event.type, 'an event says the same twice');
    return [event];
  });
}

const valueOf = (line: string) => line.slice(line.indexOf(':') + 1).trimStart();
