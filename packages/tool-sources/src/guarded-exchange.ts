import type { Clock } from '@outdial/kernel';
import { AwaitedAnswer } from './awaited-answer.ts';
import { McpError } from './mcp-error.ts';
import type { Operation } from './operation.ts';

/** Names the operation of a request, and the tool call at the server. */
export const OPERATION_HEADER = 'idempotency-key';
/** A notice, such as that a call was canceled, has no answer that anything waits for. */
const NOTICE_WITHIN_MS = 2_000;
/** What has arrived may still be on its way to the one who waits. */
const LAST_EVENTS_WITHIN_MS = 100;
const NO_STREAM = 405;

interface NamedOperation {
  /** Its stream has events with ids: the server may end it, and go on when it is asked for what follows. */
  resumableAt(eventId: string): void;
  over(): void;
}

interface Exchange {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
}

/** The way of one session to its server: every request counts against the operation that it belongs to. */
export class GuardedExchange {
  readonly #exchange: Exchange;
  readonly #calls = new Map<string, Operation>();
  #handshake: Operation;

  constructor(exchange: Exchange, handshake: Operation) {
    this.#exchange = exchange;
    this.#handshake = handshake;
  }

  /** What requests without the name of an operation belong to. */
  use(operation: Operation): void {
    this.#handshake = operation;
  }

  /** Requests with this name belong to the operation, and so do those that resume its stream. */
  named(name: string, operation: Operation): NamedOperation {
    const names = new Set<string>();
    const add = (one: string) => {
      names.add(one);
      this.#calls.set(one, operation);
    };
    add(name);
    return {
      resumableAt: (eventId) => {
        operation.isResumable = true;
        add(eventId);
      },
      over: () => {
        for (const one of names) this.#calls.delete(one);
      },
    };
  }

  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    const { method = 'GET' } = init;
    // The stream of a server that has something to say by itself. No tool needs it, and it would never end.
    if (method === 'GET' && !headers.has('last-event-id')) return new Response(null, { status: NO_STREAM });
    const name = headers.get('last-event-id') ?? headers.get(OPERATION_HEADER) ?? '';
    // An answer to the server has no name: it counts for what is under way.
    const operation = this.#calls.get(name) ?? [...this.#calls.values()].at(-1) ?? this.#handshake;
    operation.takeRequest();
    const id = method === 'POST' ? requestIdOf(init.body) : null;
    const limit = method === 'GET' || id !== null ? operation.signal : this.#noticeLimit();
    const signals = [limit, ...(init.signal ? [init.signal] : [])];
    const response = await this.#exchange.fetch(input, { ...init, headers, signal: AbortSignal.any(signals) });
    if (response.body === null) return response;
    const { status, statusText } = response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const awaited = isStream && id !== null ? new AwaitedAnswer(id) : null;
    const body = counted(response.body, {
      onBytes(bytes) {
        operation.takeBytes(bytes.length);
        awaited?.read(bytes);
      },
      onOver: () => {
        if (awaited?.hasCome === false) this.#streamOver(operation);
      },
      onError: (error) => operation.fail(error),
    });
    return new Response(body, { status, statusText, headers: response.headers });
  };

  /** The library would wait for a response that can come no more. */
  #streamOver(operation: Operation): void {
    if (operation.isResumable) return;
    this.#exchange.clock.after(LAST_EVENTS_WITHIN_MS, () =>
      operation.fail(new McpError('connection_lost', 'the server ended its answer before the result')),
    );
  }

  #noticeLimit(): AbortSignal {
    const limit = new AbortController();
    this.#exchange.clock.after(NOTICE_WITHIN_MS, () => limit.abort());
    return limit.signal;
  }
}

type RequestId = string | number;

/** Null: the message is a notice, or an answer to the server. */
function requestIdOf(body: unknown): RequestId | null {
  if (typeof body !== 'string') return null;
  const message: unknown = JSON.parse(body);
  const isRequest = typeof message === 'object' && message !== null && 'id' in message && 'method' in message;
  if (!isRequest) return null;
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null;
}

interface Counting {
  /** @throws McpError */
  readonly onBytes: (bytes: Uint8Array) => void;
  readonly onOver: () => void;
  readonly onError: (error: McpError) => void;
}

function counted(body: ReadableStream<Uint8Array>, { onBytes, onOver, onError }: Counting): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return onOver();
        }
        onBytes(value);
        controller.enqueue(value);
      } catch (error) {
        await reader.cancel().catch(() => undefined);
        if (error instanceof McpError) onError(error);
        else onOver();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
