import { systemClock } from '@outdial/kernel';
import type { SipLogEntry } from '../src/transport/sip-log.ts';
import {
  openSocketTransport,
  type SocketTransport,
  type SocketTransportOptions,
} from '../src/transport/socket-transport.ts';
import { createUserAgent, type UserAgent, type UserAgentOptions } from '../src/user-agent.ts';
import { TLS_CERTIFICATE, TLS_KEY } from './tls-identity.ts';

export interface OpenAgent {
  readonly agent: UserAgent;
  readonly transport: SocketTransport;
  readonly log: SipLogEntry[];
}

/** User agents on loopback with real sockets and real time, closed together. */
export class Agents {
  readonly #open: UserAgent[] = [];

  async open(
    options: Partial<UserAgentOptions> = {},
    sockets: Partial<SocketTransportOptions> = {},
  ): Promise<OpenAgent> {
    const log: SipLogEntry[] = [];
    const transport = await openSocketTransport({
      address: '127.0.0.1',
      port: 0,
      log: (entry) => log.push(entry),
      ...sockets,
    });
    const agent = createUserAgent({ transport, clock: systemClock, product: 'Test/1.0', ...options });
    this.#open.push(agent);
    return { agent, transport, log };
  }

  /** Listens for TLS as `trunk.test`, and trusts only itself. */
  openSecure(
    options: Partial<UserAgentOptions> = {},
    sockets: Partial<SocketTransportOptions> = {},
  ): Promise<OpenAgent> {
    const server = { key: TLS_KEY, cert: TLS_CERTIFICATE, port: 0 };
    return this.open(options, { tls: { client: { ca: TLS_CERTIFICATE }, server }, ...sockets });
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((agent) => agent.close()));
  }
}
