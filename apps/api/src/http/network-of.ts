import ipaddr from 'ipaddr.js';

/**
 * The sender as limits count it: an IPv4 address, or the first half of an IPv6 one, because a user of one IPv6 address
 * has the other 2^64 of its network too.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // Takes an IPv4 address in IPv6 form as the IPv4 address that it is.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4);
  return network.map((part) => part.toString(16)).join(':');
}
