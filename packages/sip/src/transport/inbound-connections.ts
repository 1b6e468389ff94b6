import type { Socket } from 'node:net';

/** The limits of inbound connections, in number and in time. */
export interface InboundLimits {
  readonly connections: number;
  /** From one address that is not a known peer's. */
  readonly connectionsPerAddress: number;
  /** Until the first message is complete, counted from the connection. A known peer may connect ahead of need. */
  readonly firstMessageMs: number;
  /** From the first byte of a message to its last. */
  readonly messageMs: number;
}

export const INBOUND_LIMITS: InboundLimits = {
  connections: 1_000,
  connectionsPerAddress: 50,
  firstMessageMs: 10_000,
  messageMs: 10_000,
};

interface Entry {
  readonly socket: Socket;
  readonly address: string;
  /** Increments with every message of any connection; 0 for a connection without a message. */
  lastMessage: number;
}

/**
 * Inbound connections, including those in a TLS handshake. When the limit is reached, the stranger that was silent for
 * longest is closed: strangers never keep out a known peer, nor each other for long.
 */
export class InboundConnections {
  readonly #limits: InboundLimits;
  readonly #isKnown: (address: string) => boolean;
  /** In order of arrival. */
  readonly #entries = new Map<string, Entry>();
  #messages = 0;

  constructor(limits: InboundLimits, isKnown: (address: string) => boolean) {
    this.#limits = limits;
    this.#isKnown = isKnown;
  }

  /** Call this before anything is read from the socket. Destroys the socket if the limit is reached. */
  accept(socket: Socket): void {
    const address = addressOf(socket);
    if (!this.#makeRoom(address)) {
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    this.#entries.set(key, { socket, address, lastMessage: 0 });
    socket.once('close', () => this.#entries.delete(key));
  }

  /** The connection delivered a whole message. Accepts the TLS socket or the one beneath it. */
  heard(socket: Socket): void {
    const entry = this.#entries.get(keyOf(socket));
    if (entry) entry.lastMessage = this.#messages += 1;
  }

  closeAll(): void {
    for (const { socket } of this.#entries.values()) socket.destroy();
  }

  #makeRoom(address: string): boolean {
    const { connections, connectionsPerAddress } = this.#limits;
    if (!this.#isKnown(address)) {
      const neighbors = [...this.#entries.values()].filter((entry) => entry.address === address);
      if (neighbors.length >= connectionsPerAddress) return this.#evict(neighbors);
    }
    if (this.#entries.size < connections) return true;
    return this.#evict([...this.#entries.values()].filter((entry) => !this.#isKnown(entry.address)));
  }

  #evict(candidates: readonly Entry[]): boolean {
    const [first, ...others] = candidates;
    if (first === undefined) return false;
    const evicted = others.reduce((idlest, entry) => (entry.lastMessage < idlest.lastMessage ? entry : idlest), first);
    this.#entries.delete(keyOf(evicted.socket));
    evicted.socket.destroy();
    return true;
  }
}

function addressOf(socket: Socket): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}

function keyOf(socket: Socket): string {
  return `${addressOf(socket)}:${socket.remotePort ?? 0}`;
}
