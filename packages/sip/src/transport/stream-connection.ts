import type { Socket } from 'node:net';
import { StreamFramer } from '../syntax/stream-framer.ts';
import { receiveBytes } from './inbound.ts';
import { MessageDeadline, type DeadlineTimes } from './message-deadline.ts';
import type { SipLog } from './sip-log.ts';
import { StreamKeepAlive, type KeepAliveTimes } from './stream-keep-alive.ts';
import type { Channel, HostPort, Inbound, SendFailure } from './transport.ts';

const TCP_KEEP_ALIVE_MS = 30_000;
/** The limit of unsent bytes for a peer that does not read. */
const MAX_UNSENT_BYTES = 1 << 20;

export interface StreamConnectionOptions {
  readonly transport: 'TCP' | 'TLS';
  readonly local: HostPort;
  readonly serverName?: string;
  readonly isOnlyReturnPath: boolean;
  /** For a connection that we opened. */
  readonly keepAlive?: KeepAliveTimes;
  /** For an inbound connection. */
  readonly deadline?: DeadlineTimes;
  /** Called for every complete message, before it is passed on. */
  readonly onMessage?: () => void;
  readonly log: SipLog;
  readonly onInbound: (inbound: Inbound) => void;
  readonly onClosed: () => void;
}

/** One TCP or TLS connection: frames incoming bytes into messages, and is the channel for outgoing ones. */
export class StreamConnection {
  readonly channel: Channel;
  readonly #socket: Socket;
  readonly #options: StreamConnectionOptions;
  readonly #framer = new StreamFramer();
  readonly #keepAlive: StreamKeepAlive | undefined;
  readonly #deadline: MessageDeadline | undefined;
  readonly #closedListeners = new Set<() => void>();

  constructor(socket: Socket, options: StreamConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    const { transport, local, serverName, isOnlyReturnPath, keepAlive, deadline } = options;
    this.channel = {
      remote: {
        transport,
        address: (socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
        port: socket.remotePort ?? 0,
        ...(serverName === undefined ? {} : { serverName }),
      },
      local,
      reliable: true,
      get usable() {
        return socket.writable && !socket.destroyed;
      },
      isOnlyReturnPath,
      onClosed: (listener) => this.#onClosed(listener),
      send: (bytes, onDone) => this.#send(bytes, onDone),
    };
    socket.setNoDelay(true);
    // Detects a far end that vanished, so that nothing is sent into a dead connection forever.
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    // `close` follows every error; senders learn of it by their own callbacks.
    socket.on('error', (error) => this.#discard(error.message));
    socket.on('close', () => {
      this.#deadline?.stop();
      options.onClosed();
      for (const listener of this.#closedListeners) listener();
    });
    const giveUp = (reason: string) => () => {
      this.#discard(reason);
      this.close();
    };
    const silent = giveUp('the far end no longer answers');
    this.#keepAlive = keepAlive && new StreamKeepAlive(socket, keepAlive, silent);
    this.#deadline = deadline && new MessageDeadline(deadline, giveUp('no complete message came in time'));
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(bytes: Buffer, onDone: (failure: SendFailure | undefined) => void): void {
    const { remote } = this.channel;
    if (!this.channel.usable || this.#socket.writableLength > MAX_UNSENT_BYTES) {
      onDone({ error: new Error('the connection is closed or stuck'), mayHaveLeft: false });
      return;
    }
    const to = `${remote.address}:${remote.port}`;
    this.#options.log({ kind: 'sent', transport: remote.transport, remote: to, text: bytes.toString('utf8') });
    this.#socket.write(bytes, (error) => onDone(error ? { error, mayHaveLeft: true } : undefined));
  }

  #onClosed(listener: () => void): () => void {
    if (this.#socket.closed) queueMicrotask(listener);
    else this.#closedListeners.add(listener);
    return () => this.#closedListeners.delete(listener);
  }

  #receive(chunk: Buffer): void {
    this.#keepAlive?.received(chunk);
    let messages = 0;
    for (const framed of this.#framer.push(chunk)) {
      switch (framed.kind) {
        case 'message':
          messages += 1;
          this.#options.onMessage?.();
          receiveBytes(framed.bytes, this.channel, this.#options);
          break;
        case 'ping':
          if (this.channel.usable) this.#socket.write('\r\n');
          break;
        case 'broken':
          this.#discard(framed.reason);
          this.close();
          break;
      }
    }
    this.#deadline?.received({ messages, isPartial: this.#framer.isPartial });
  }

  #discard(reason: string): void {
    const { transport, address, port } = this.channel.remote;
    this.#options.log({ kind: 'discarded', transport, remote: `${address}:${port}`, text: '', reason });
  }
}
