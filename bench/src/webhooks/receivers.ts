import { createServer } from 'node:http';
import { HANGING_PATH } from './paths.ts';

/** A receiver, as cheap as possible: it answers 204 once the body is there, or never. */
function listen(port: number): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.startsWith(HANGING_PATH)) return;
    request.once('end', () => response.writeHead(204).end());
  });
  server.keepAliveTimeout = 0;
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
}

// All receivers in one process. Each has its own port: connections to one origin are limited.
await Promise.all((process.env['PORTS'] ?? '').split(',').map((port) => listen(Number(port))));
process.send?.('ready');
