import { isIPv4, isIPv6 } from 'node:net';
import type { SipUri } from './syntax/uri.ts';
import { defaultPort, type Destination, type TransportName } from './transport/transport.ts';

export interface SrvRecord {
  readonly name: string;
  readonly port: number;
  readonly priority: number;
  readonly weight: number;
}

/** Name look-ups. Both return an empty list, or reject, for an unknown name. */
export interface Resolver {
  srv(name: string): Promise<readonly SrvRecord[]>;
  /** IPv4 addresses. */
  addresses(host: string): Promise<readonly string[]>;
}

export type ResolveOutcome =
  | { readonly kind: 'resolved'; readonly destinations: readonly Destination[] }
  | { readonly kind: 'unresolvable'; readonly reason: string };

/**
 * Where to send a request for a URI, in order of preference (RFC 3263 section 4, without NAPTR: the transport is the
 * URI's, else UDP, else that of the existing SRV records). An IP address or an explicit port is used as it is.
 * Otherwise SRV records decide, or the host's address where there are none.
 */
export async function resolveUri(
  uri: SipUri,
  resolver: Resolver,
  random: () => number = Math.random,
): Promise<ResolveOutcome> {
  const host = uri.params.get('maddr') ?? uri.host;
  const stated = statedTransport(uri);
  if (stated === 'unknown') return unresolvable(`the transport of ${host} is not udp, tcp or tls`);
  if (isIPv6(host.replaceAll(/[[\]]/g, ''))) return unresolvable(`${host} is an IPv6 address: only IPv4 is supported`);
  const transport = stated ?? 'UDP';
  const port = uri.port ?? defaultPort(transport);
  if (isIPv4(host)) return { kind: 'resolved', destinations: [{ transport, address: host, port }] };

  const found: Destination[] = [];
  if (uri.port === null) {
    for (const candidate of stated === null ? (['UDP', 'TCP'] as const) : [stated]) {
      const records = await resolver.srv(srvName(candidate, uri, host)).catch(() => []);
      for (const record of inSrvOrder(records, random)) {
        found.push(...(await look(record.name, candidate, record.port, host, resolver)));
      }
      if (found.length > 0) return { kind: 'resolved', destinations: found };
    }
  }
  found.push(...(await look(host, transport, port, host, resolver)));
  return found.length > 0 ? { kind: 'resolved', destinations: found } : unresolvable(`${host} has no IPv4 address`);
}

/**
 * By priority; within one priority at random, in proportion to the weights (RFC 2782). A target of "." means no
 * service.
 */
export function inSrvOrder(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  const left = records.filter(({ name }) => name !== '.' && name !== '');
  const ordered: SrvRecord[] = [];
  while (left.length > 0) {
    const priority = Math.min(...left.map((record) => record.priority));
    const candidates = left.filter((record) => record.priority === priority).toSorted((a, b) => a.weight - b.weight);
    const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
    let mark = random() * total;
    const chosen = candidates.find(({ weight }) => (mark -= weight) < 0) ?? candidates[0];
    if (chosen === undefined) break;
    ordered.push(chosen);
    left.splice(left.indexOf(chosen), 1);
  }
  return ordered;
}

async function look(
  name: string,
  transport: TransportName,
  port: number,
  /** The name that was asked for, which the certificate must carry, not the SRV target (RFC 5922 section 4). */
  domain: string,
  resolver: Resolver,
): Promise<Destination[]> {
  const addresses = await resolver.addresses(name).catch(() => []);
  return addresses.map((address) => ({
    transport,
    address,
    port,
    ...(transport === 'TLS' ? { serverName: domain } : {}),
  }));
}

function statedTransport({ scheme, params }: SipUri): TransportName | 'unknown' | null {
  const stated = params.get('transport')?.toLowerCase();
  if (scheme === 'sips') return stated === undefined || stated === 'tcp' || stated === 'tls' ? 'TLS' : 'unknown';
  switch (stated) {
    case undefined:
      return null;
    case 'udp':
      return 'UDP';
    case 'tcp':
      return 'TCP';
    case 'tls':
      return 'TLS';
    default:
      return 'unknown';
  }
}

function srvName(transport: TransportName, { scheme }: SipUri, host: string): string {
  if (transport === 'TLS' || scheme === 'sips') return `_sips._tcp.${host}`;
  return transport === 'TCP' ? `_sip._tcp.${host}` : `_sip._udp.${host}`;
}

function unresolvable(reason: string): ResolveOutcome {
  return { kind: 'unresolvable', reason };
}
