import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';

/** A span as a collector reads it from OTLP, with plain attributes. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a span that begins a trace. */
  readonly parentSpanId: string;
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 2: an error. */
  readonly status: number;
}

export interface TraceCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** The requests that came, as they came. */
  readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** Resolves with the first span that matches, once it has come. */
  until(matches: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  /** Resolves once this many requests have begun. */
  asked(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Answers a request instead of taking its spans. */
export type CollectorAnswer = (response: ServerResponse) => void;

/** A trace collector that reads OTLP/HTTP with JSON strictly: what does not have the right shape fails its request. */
export async function startTraceCollector(answer?: CollectorAnswer): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const requests: { headers: IncomingHttpHeaders; body: string }[] = [];
  let waiting: (() => void)[] = [];
  const begun = { requests: 0 };
  const wake = () => {
    for (const look of waiting.splice(0)) look();
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    begun.requests += 1;
    wake();
    if (answer) return answer(response);
    const body = await textOf(request);
    requests.push({ headers: request.headers, body });
    if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end();
    try {
      spans.push(...readSpans(JSON.parse(body)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
    wake();
  }

  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const next = () => new Promise<void>((resolve) => waiting.push(resolve));
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    spans,
    requests,
    async until(matches) {
      for (;;) {
        const found = spans.find(matches);
        if (found) return found;
        await next();
      }
    },
    async asked(count) {
      while (begun.requests < count) await next();
    },
    async close() {
      waiting = [];
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function readSpans(body: unknown): readonly CollectedSpan[] {
  return listIn(body, 'resourceSpans').flatMap((ofResource) => {
    const service = attributesIn(fieldOf(ofResource, 'resource'))['service.name'];
    return listIn(ofResource, 'scopeSpans').flatMap((ofScope) =>
      listIn(ofScope, 'spans').map((span) => ({
        service: String(service),
        name: textIn(span, 'name'),
        traceId: idIn(span, 'traceId', 32),
        spanId: idIn(span, 'spanId', 16),
        parentSpanId: fieldOf(span, 'parentSpanId') === undefined ? '' : idIn(span, 'parentSpanId', 16),
        startNanos: BigInt(textIn(span, 'startTimeUnixNano')),
        endNanos: BigInt(textIn(span, 'endTimeUnixNano')),
        attributes: attributesIn(span),
        events: listIn(span, 'events').map((event) => ({
          name: textIn(event, 'name'),
          attributes: attributesIn(event),
        })),
        links: listIn(span, 'links').map((link) => ({
          traceId: idIn(link, 'traceId', 32),
          spanId: idIn(link, 'spanId', 16),
        })),
        status: Number(fieldOf(fieldOf(span, 'status'), 'code') ?? 0),
      })),
    );
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new TypeError(`${name} is not a list`);
  return list;
}

function textIn(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  if (typeof text !== 'string') throw new TypeError(`${name} is not a text`);
  return text;
}

function idIn(value: unknown, name: string, digits: number): string {
  const id = textIn(value, name);
  if (!/^[\da-f]+$/.test(id) || id.length !== digits) throw new TypeError(`${name} is no id`);
  return id;
}

/** Each value is an object with its type as the only name. */
function attributesIn(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    listIn(value, 'attributes').map((attribute) => [
      textIn(attribute, 'key'),
      Object.values(Object(fieldOf(attribute, 'value')))[0],
    ]),
  );
}
