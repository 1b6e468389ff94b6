import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { vi } from 'vitest';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const endAtOnce: Answer = (_, response) => void response.end();

/** An HTTP server whose responses the test controls. */
export interface TestService {
  /** Every request, in order of arrival. */
  readonly requests: readonly IncomingMessage[];
  answerWith(answer: Answer): void;
  /** Closes every connection, as a killed process does. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Starts a server, and lets `fetch` resolve plain paths against it, as in a browser. */
export async function startService(): Promise<TestService> {
  const requests: IncomingMessage[] = [];
  let answer: Answer = endAtOnce;
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const fetchAnywhere = fetch;
  vi.stubGlobal('fetch', (path: string, options?: RequestInit) => fetchAnywhere(new URL(path, origin), options));
  return {
    requests,
    answerWith: (next) => void (answer = next),
    dropConnections: () => server.closeAllConnections(),
    async close() {
      vi.unstubAllGlobals();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
