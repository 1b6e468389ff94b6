import { createServer, type Server } from 'node:http';
import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { expressMessages } from './express-messages.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(app: express.Express, messages: ReturnType<typeof expressMessages>): Promise<string> {
  const server = createServer(messages, app);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
}

describe('the requests and responses of an application', () => {
  it('have the prototype that Express sets, before and after Express sees them', async () => {
    const app = express();
    const messages = expressMessages(app);
    const seen: unknown[] = [];
    app.get('/', (request, response) => {
      seen.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
      response.json({ app: request.app === app && response.app === app, query: request.query });
    });
    const url = await serve(app, messages);
    const answer = await fetch(`${url}/?a=1`);
    expect(await answer.json()).toEqual({ app: true, query: { a: '1' } });
    expect(seen).toEqual([messages.IncomingMessage.prototype, messages.ServerResponse.prototype]);
    expect([app.request, app.response]).toEqual(seen);
  });

  it('have it again after a mounted application returns them', async () => {
    const app = express();
    const messages = expressMessages(app);
    const mounted = express();
    mounted.get('/here', (request, response) => response.json({ app: request.app === mounted }));
    app.use('/mounted', mounted);
    app.use((request, response) => {
      const isOurs = Object.getPrototypeOf(response) === messages.ServerResponse.prototype;
      response.json({ app: request.app === app && isOurs });
    });
    const url = await serve(app, messages);
    const answers = ['/mounted/here', '/mounted/elsewhere'].map(async (path) => (await fetch(url + path)).json());
    expect(await Promise.all(answers)).toEqual([{ app: true }, { app: true }]);
  });
});
