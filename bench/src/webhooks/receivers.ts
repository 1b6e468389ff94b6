import { createServer } from 'node:http';
import { HANGING_PATH } from './paths.ts';

/** All receivers, as cheap as possible: they answer 204 once the body is there, or never. Started as a process. */
const server = createServer((request, response) => {
  request.resume();
  if (request.url?.startsWith(HANGING_PATH)) return;
  request.once('end', () => response.writeHead(204).end());
});
server.keepAliveTimeout = 0;
server.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.('ready'));
