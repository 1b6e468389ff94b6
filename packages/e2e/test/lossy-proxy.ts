import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { invariant } from '@outdial/kernel';

export interface LossyProxy {
  readonly url: string;
  /** How many answers it has lost. */
  readonly lost: () => number;
  /** Breaks every connection that is open. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * A proxy in front of an API that loses answers: the request arrives, and its sender never hears of it.
 *
 * @param losesAnswer is asked once the API has answered.
 */
export async function openLossyProxy(
  targetUrl: string,
  losesAnswer: (request: IncomingMessage) => boolean,
): Promise<LossyProxy> {
  let lost = 0;
  const server = createServer((request, response) => forward(request, response));
  function forward(request: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url = '/' } = request;
    const sent = ask(`${targetUrl}${url}`, { method, headers, agent: false }, (answer) => {
      if (losesAnswer(request)) {
        lost += 1;
        request.socket.destroy();
        answer.resume();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    sent.on('error', () => request.socket.destroy());
    response.once('close', () => sent.destroy());
    request.pipe(sent);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  invariant(address !== null && typeof address === 'object', 'a TCP server has an address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    lost: () => lost,
    cut: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
