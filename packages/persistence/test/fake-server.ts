import { EventEmitter, once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

export type FakeRole = 'primary' | 'standby' | 'read-only' | 'silent' | 'stranger' | 'challenger' | 'mute';

export interface FakeServerOptions {
  /**
   * `silent` accepts connections and answers nothing. A `stranger` knows no user. A `challenger` asks for a password in the
   * way that takes longest to answer, and answers no more. A `mute` one lets clients in, and answers no question.
   */
  readonly role: FakeRole;
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** As much of Postgres's protocol as a client needs to connect and to ask for the role. */
export interface FakeServer {
  readonly port: number;
  connections(): number;
  /** The names that clients asked for over TLS. */
  serverNames(): readonly string[];
  /** Resolves once a challenger has sent its challenge, or a mute server has left a question without an answer. */
  readonly leftWaiting: Promise<void>;
  become(role: FakeRole): void;
  /** Resets every connection. */
  cut(): void;
  close(): Promise<void>;
}

const SSL_REQUEST = 80_877_103;
const PROTOCOL_3 = 196_608;
/** Of a challenge: clients refuse more. */
export const MOST_ITERATIONS = 100_000;

export async function openFakeServer({ role: first, tls }: FakeServerOptions): Promise<FakeServer> {
  let role = first;
  let connections = 0;
  const waits = new EventEmitter();
  const leftWaiting = once(waits, 'left').then(() => undefined);
  const sockets = new Set<Socket>();
  const names: string[] = [];

  function serve(socket: Socket): void {
    let isStarted = false;
    let received: Buffer = Buffer.alloc(0);
    socket.on('error', () => undefined);
    const onData = (data: Buffer) => {
      received = Buffer.concat([received, data]);
      for (;;) {
        const head = isStarted ? 1 : 0;
        if (received.length < head + 4) return;
        const length = head + received.readInt32BE(head);
        if (received.length < length) return;
        const message = received.subarray(0, length);
        received = received.subarray(length);
        if (isStarted) answer(socket, message);
        else if (message.readInt32BE(4) === SSL_REQUEST) {
          socket.off('data', onData);
          return upgrade(socket);
        } else {
          if (message.readInt32BE(4) !== PROTOCOL_3) throw new Error('a client speaks protocol 3');
          isStarted = true;
          if (role === 'stranger') socket.end(failure('28P01', 'password authentication failed'));
          else if (role === 'challenger')
            socket.write(packet('R', Buffer.concat([int32(10), text('SCRAM-SHA-256'), Buffer.from([0])])));
          else if (role !== 'silent') socket.write(Buffer.concat([packet('R', int32(0)), READY]));
        }
      }
    };
    socket.on('data', onData);
  }

  function upgrade(socket: Socket): void {
    if (tls === undefined) return void socket.write('N');
    socket.write('S');
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: createSecureContext({ cert: tls.certificate, key: tls.key }),
      SNICallback(name, done) {
        names.push(name);
        done(null);
      },
    });
    serve(secure);
  }

  function answer(socket: Socket, message: Buffer): void {
    const type = String.fromCodePoint(message[0] ?? 0);
    if (type === 'X') return void socket.end();
    if (type === 'p' && role === 'challenger') {
      const nonce = /r=([^,\0]+)/.exec(message.toString('latin1'))?.[1];
      if (nonce === undefined) return;
      waits.emit('left');
      const challenge = `r=${nonce}server,s=${Buffer.from('salt').toString('base64')},i=${MOST_ITERATIONS}`;
      return void socket.write(packet('R', Buffer.concat([int32(11), Buffer.from(challenge)])));
    }
    if (type === 'Q' && role === 'mute') return void waits.emit('left');
    if (type !== 'Q') throw new Error(`a client sends a simple query, not ${type}`);
    if (!message.includes('pg_is_in_recovery()')) throw new Error('a client asks for the role alone');
    const isRecovering = role === 'standby';
    const row = [isRecovering, isRecovering || role === 'read-only'];
    socket.write(Buffer.concat([COLUMNS, dataRow(row), packet('C', text('SELECT 1')), READY]));
  }

  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port');
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: address.port,
    connections: () => connections,
    leftWaiting,
    serverNames: () => names,
    become: (next) => void (role = next),
    cut,
    async close() {
      if (!server.listening) return;
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

const BOOLEAN_OID = 16;

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
}

const text = (value: string) => Buffer.from(`${value}\0`);

function packet(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function column(name: string): Buffer {
  return Buffer.concat([text(name), int32(0), int16(0), int32(BOOLEAN_OID), int16(1), int32(-1), int16(0)]);
}

const COLUMNS = packet('T', Buffer.concat([int16(2), column('isRecovering'), column('isReadOnly')]));
const READY = packet('Z', Buffer.from('I'));

function dataRow(values: readonly boolean[]): Buffer {
  const fields = values.map((value) => Buffer.concat([int32(1), Buffer.from(value ? 't' : 'f')]));
  return packet('D', Buffer.concat([int16(values.length), ...fields]));
}

function failure(code: string, message: string): Buffer {
  return packet('E', Buffer.concat([text('SFATAL'), text(`C${code}`), text(`M${message}`), Buffer.from([0])]));
}
