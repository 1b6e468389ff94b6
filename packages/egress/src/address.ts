import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv4 networks or IPv6 networks, as CIDR ranges. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Global unicast (RFC 4291 section 2.4, IANA's IPv6 address space): nothing outside of it is a host on the internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** An IPv6-only network reaches IPv4 hosts under this prefix (RFC 6052 section 2.1). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * The address that a connection to `text` would reach: an IPv4 address written as IPv6 (mapped, RFC 4291 section
 * 2.5.5.2, or behind the well-known NAT64 prefix) is that IPv4 address. Undefined if `text` is not an address.
 */
function reachedAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // A zone (`fe80::1%eth0`) is a link-local matter: no such address is public or belongs to a network of the allow list.
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  // The parser takes `::8.8.8.8`, a form without hosts (RFC 4291 section 2.5.5.1), for a mapped address.
  if (/^::\d+\./.test(text)) return undefined;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6 && address.match(NAT64)) {
    return ipaddr.fromByteArray(address.toByteArray().slice(12));
  }
  return address;
}

/**
 * Whether an address is a host on the public internet. Private, loopback, link-local, carrier-grade NAT, multicast,
 * documentation and reserved addresses are not, and neither are tunnels (6to4, Teredo), whose far end is unknown.
 */
export function isPublicAddress(text: string): boolean {
  const address = reachedAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

export function isInNetworks(text: string, networks: readonly Network[]): boolean {
  const address = reachedAddress(text);
  if (address === undefined) return false;
  return networks.some(([network, bits]) => address.kind() === network.kind() && address.match([network, bits]));
}

/** `10.0.0.0/8`, or one address. Undefined if `text` is neither. */
export function parseNetwork(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  // Short forms such as `10.1` are valid addresses to the parser, but rarely what an operator means.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
