import type { ConnectionOptions, TlsOptions } from 'node:tls';
import { INBOUND_LIMITS, type InboundLimits } from './inbound-connections.ts';
import { KnownPeers } from './known-peers.ts';
import type { SipLog } from './sip-log.ts';
import { StreamEndpoint, type TlsIdentity } from './stream-endpoint.ts';
import type { KeepAliveTimes } from './stream-keep-alive.ts';
import type { HostPort, Inbound, Transport } from './transport.ts';
import { UdpEndpoint } from './udp-endpoint.ts';

export interface SocketTransportOptions {
  /** The IPv4 address to listen on. `0.0.0.0` is every address of the machine. */
  readonly address: string;
  /** For UDP and TCP alike; 0 picks a free one. */
  readonly port: number;
  /** How the far end reaches us through a NAT. Without `port`, the NAT passes ports through unchanged. */
  readonly publicAddress?: { readonly host: string; readonly port?: number };
  readonly tls?: {
    /** Trust and our certificate as a client. Node's defaults otherwise: the far end's name and chain are verified. */
    readonly client?: ConnectionOptions;
    /**
     * Key and certificate of the TLS listener. Without it, the far end can reach us only over connections that we
     * opened.
     */
    readonly server?: TlsOptions & { readonly port: number };
  };
  /** For TCP and TLS connections that we open. */
  readonly keepAlive?: KeepAliveTimes;
  /** For inbound TCP and TLS connections, each transport separately. */
  readonly inbound?: Partial<InboundLimits>;
  readonly log?: SipLog;
}

/** A transport over real sockets, and where it listens. */
export interface SocketTransport extends Transport {
  readonly port: number;
  /** 0 when nothing listens for TLS. */
  readonly tlsPort: number;
  /**
   * Presents another certificate to new TLS connections; open connections continue.
   * @throws when the certificate cannot be used, or there is no TLS listener: then nothing changes.
   */
  renewCertificate(identity: TlsIdentity): void;
}

/** How many free UDP ports may turn out to be taken for TCP before that is an error. */
const PORT_ATTEMPTS = 10;

/** Opens the sockets. Rejects when a port is taken. */
export async function openSocketTransport(options: SocketTransportOptions): Promise<SocketTransport> {
  const { address, publicAddress, tls, keepAlive, inbound, log = () => undefined } = options;
  const knownPeers = new KnownPeers();
  let deliver: ((inbound: Inbound) => void) | undefined;
  const advertise = (local: HostPort): HostPort =>
    publicAddress === undefined ? local : { host: publicAddress.host, port: publicAddress.port ?? local.port };
  const shared = { address, advertise, log, onInbound: (inbound: Inbound) => deliver?.(inbound) };
  const limits = { ...INBOUND_LIMITS, ...inbound };
  const streams = { ...shared, inbound: limits, knownPeers, ...(keepAlive === undefined ? {} : { keepAlive }) };

  const tcp = new StreamEndpoint({ transport: 'TCP', ...streams });
  const udp = await bindBoth(options.port, (port) => UdpEndpoint.bind({ ...shared, port }), tcp);
  const secure = new StreamEndpoint({
    transport: 'TLS',
    ...streams,
    ...(tls?.client === undefined ? {} : { client: tls.client }),
  });
  const close = async () => void (await Promise.all([udp.close(), tcp.close(), secure.close()]));
  if (tls?.server !== undefined) {
    await secure.listen(tls.server.port, tls.server).catch(async (error: unknown) => {
      await close();
      throw error;
    });
  }
  const endpoints = { UDP: udp, TCP: tcp, TLS: secure };
  return {
    port: udp.port,
    tlsPort: secure.port,
    listen: (onInbound) => {
      deliver = onInbound;
    },
    renewCertificate: (identity) => secure.renewCertificate(identity),
    open: (destination) => {
      knownPeers.note(destination.address);
      return endpoints[destination.transport].open(destination);
    },
    close,
  };
}

/** UDP and TCP share one port number: a message too long for a datagram goes to the same port over TCP. */
async function bindBoth(
  port: number,
  bindUdp: (port: number) => Promise<UdpEndpoint>,
  tcp: StreamEndpoint,
): Promise<UdpEndpoint> {
  for (let attempt = 1; ; attempt += 1) {
    const udp = await bindUdp(port);
    try {
      await tcp.listen(udp.port);
      return udp;
    } catch (error) {
      await udp.close();
      if (port !== 0 || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}
