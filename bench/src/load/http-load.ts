import autocannon from 'autocannon';

export interface LoadResult {
  readonly acceptedPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refused: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body of each request; `body` without it. */
  readonly bodyOf?: () => string;
  readonly connections: number;
  readonly seconds: number;
}

/** Closed-loop load: each connection sends its next request after the answer to the last one. */
export async function createLoad(options: LoadOptions): Promise<LoadResult> {
  const { bodyOf } = options;
  const result = await autocannon({
    url: options.url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...options.headers },
    body: options.body,
    ...(bodyOf && { requests: [{ setupRequest: (request) => ({ ...request, body: bodyOf() }) }] }),
    connections: options.connections,
    duration: options.seconds,
  });
  return {
    acceptedPerSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    refused: result.non2xx + result.errors,
  };
}
