import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A Sentinel that answers when a test lets it, and announces what a test asks for. */
export interface FakeSentinel {
  /** `redis+sentinel://` */
  url(password: string): string;
  /** From now on it does not say who the primary is. */
  hold(): void;
  /** Resolves once it is asked for the primary while it holds its answers. */
  asked(): Promise<void>;
  /** Answers what it held. */
  release(): void;
  /** Announces a failover, as Sentinels do. Resolves once each listener has heard it, and has left. */
  announce(): Promise<void>;
  close(): Promise<void>;
}

const NAME = 'outdial';
const CHANNEL = '+switch-master';
const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
const array = (...texts: readonly string[]) => `*${texts.length}\r\n${texts.map(bulk).join('')}`;

/** @param primary the port that it names */
export async function openFakeSentinel(primary: number): Promise<FakeSentinel> {
  const sockets = new Set<Socket>();
  const listeners = new Set<Socket>();
  let held: (() => void)[] | null = null;
  let wakers: (() => void)[] = [];

  function answer(socket: Socket, [command = '', ...words]: readonly string[]): void {
    const send = (reply: string) => void (socket.destroyed || socket.write(reply));
    const name = [command, words[0]].join(' ').toLowerCase();
    if (name === 'sentinel get-master-addr-by-name') {
      const reply = () => send(array('127.0.0.1', String(primary)));
      if (held === null) return reply();
      held.push(reply);
      for (const wake of wakers.splice(0)) wake();
    } else if (name.startsWith('sentinel')) send('*0\r\n');
    else if (name.startsWith('subscribe')) {
      listeners.add(socket);
      send(`>3\r\n${bulk('subscribe')}${bulk(CHANNEL)}:1\r\n`);
    } else if (name.startsWith('info')) send(bulk('redis_mode:sentinel\r\n'));
    else if (name.startsWith('hello')) send(`%1\r\n${bulk('proto')}:3\r\n`);
    else send('+OK\r\n');
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      listeners.delete(socket);
    });
    socket.on('data', (bytes) => {
      for (const command of commandsIn(bytes.toString())) answer(socket, command);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: (password) => `redis+sentinel://:${password}@127.0.0.1:${port}/${NAME}`,
    hold: () => void (held = []),
    asked: () => new Promise((resolve) => (held?.length ? resolve() : void wakers.push(resolve))),
    release() {
      for (const reply of held ?? []) reply();
      held = null;
    },
    async announce() {
      while (listeners.size === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      const left = [...listeners].map((socket) => once(socket, 'close'));
      for (const socket of listeners)
        socket.write(`>3\r\n${['message', CHANNEL, `${NAME} 127.0.0.1 1 127.0.0.1 2`].map(bulk).join('')}`);
      await Promise.all(left);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Commands are short: none is cut between two packets on this machine. */
function commandsIn(text: string): readonly (readonly string[])[] {
  return text
    .split(/^\*\d+\r\n/m)
    .filter((part) => part !== '')
    .map((part) => [...part.matchAll(/^\$\d+\r\n(.*)\r\n/gm)].map(([, word = '']) => word));
}
