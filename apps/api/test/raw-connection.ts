import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawConnection {
  send(text: string): void;
  /** Everything received so far. */
  received(): string;
  /** Resolves with everything received, once the server has closed the connection. */
  closed(): Promise<string>;
  hangUp(): void;
}

/** A connection on which a test may send anything, HTTP or not. */
export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  // A server that closes while more is being sent resets the connection: what it sent first counts.
  socket.on('error', () => {});
  const close = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return {
    send: (more) => void socket.write(more),
    received: () => text,
    async closed() {
      await close;
      return text;
    },
    hangUp: () => socket.destroy(),
  };
}

/** An answer as it was on the wire. */
export function parseAnswer(text: string) {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.join('\r\n\r\n') };
}
