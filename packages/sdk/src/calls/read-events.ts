import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { reasonOf, type Clock } from '../clock.ts';
import { connectionFailed } from '../http/transport.ts';

/** The server says something every 15 s: a connection that is silent for three times as long is dead. */
const LONGEST_SILENCE_MS = 45_000;

/**
 * The messages of a body of server-sent events, until the server ends it. `heard` is called at each sign of life, also
 * between messages.
 * @throws ConnectionError if the connection breaks
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  clock: Clock,
  signal: AbortSignal | undefined,
  heard: () => void = () => undefined,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => arrived.push(message) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  // The signal of the request may have been lost by now: see `Transport`.
  const cancel = () => void reader.cancel().catch(() => undefined);
  if (signal?.aborted === true) cancel();
  else signal?.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, clock, signal);
      if (signal?.aborted === true) throw reasonOf(signal);
      if (done) return;
      heard();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* arrived.splice(0);
    }
  } finally {
    // The rest, if there is any, is not wanted. A connection that broke needs no farewell.
    cancel();
    signal?.removeEventListener('abort', cancel);
  }
}

type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<Chunk> {
  const done = new AbortController();
  const silence = clock.sleep(LONGEST_SILENCE_MS, done.signal).then(() => {
    throw connectionFailed(new Error('the stream is silent'));
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    if (signal?.aborted === true) throw reasonOf(signal);
    throw connectionFailed(error);
  } finally {
    silence.catch(() => undefined);
    done.abort();
  }
}
