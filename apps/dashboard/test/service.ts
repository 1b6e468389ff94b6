import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { vi } from 'vitest';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const endAtOnce: Answer = (_, response) => void response.end();

/** A service on a socket of its own, which answers as a test says. */
export interface TestService {
  /** Every request, in the order in which they came. */
  readonly requests: readonly IncomingMessage[];
  answerWith(answer: Answer): void;
  /** Breaks every connection off, as a process does that is killed. */
  breakOff(): void;
  close(): Promise<void>;
}

/** Starts one, and lets `fetch` find it by a path alone, as it does in a browser. */
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
    breakOff: () => server.closeAllConnections(),
    async close() {
      vi.unstubAllGlobals();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
