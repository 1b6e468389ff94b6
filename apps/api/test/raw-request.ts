import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  /** Alternating names and values, sent unchanged: in this order, in this case, with repetitions. */
  readonly headers?: readonly string[];
  readonly chunks?: readonly (string | Uint8Array)[];
}

/** A request that `fetch` cannot send. */
export function sendRaw(
  url: string,
  { method = 'GET', path, headers = [], chunks = [] }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, method, path, headers: ['Host', `${hostname}:${port}`, ...headers] });
    sent.once('error', reject);
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    for (const chunk of chunks) sent.write(chunk);
    sent.end();
  });
}
