/** Of one scope. A session is a few kilobytes, and each provider has one origin or two. */
const MAX_SESSIONS = 256;

/**
 * TLS sessions (RFC 8446 section 2.2) that save the greater part of the next handshake with the same server. The server's
 * certificate is not checked again, so a session must never serve another name, another port or another scope.
 */
export class TlsSessions {
  readonly #sessions = new Map<string, Buffer>();

  of({ host, port }: TlsServer): Buffer | undefined {
    return this.#sessions.get(keyOf({ host, port }));
  }

  /**
   * Keeps the sessions that the server sends: the newest counts. They come with the handshake and after it, once the
   * server's certificate was accepted. To be called before the handshake.
   */
  keep(server: TlsServer, socket: SessionSource): void {
    const key = keyOf(server);
    socket.on('session', (session) => {
      this.#sessions.delete(key);
      this.#sessions.set(key, session);
      const [oldest] = this.#sessions.keys();
      if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    });
  }

  /** A session with which a connection failed is of no more use. */
  drop(server: TlsServer): void {
    this.#sessions.delete(keyOf(server));
  }
}

/** As its certificate names it. */
export interface TlsServer {
  readonly host: string;
  readonly port: number;
}

interface SessionSource {
  on(event: 'session', listener: (session: Buffer) => void): unknown;
}

const keyOf = ({ host, port }: TlsServer): string => `${host.toLowerCase()} ${port}`;
