import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/**
 * The source address that the system would use. A socket bound to every address does not know it, and a Via or Contact
 * of 0.0.0.0 could not be answered.
 */
export async function localAddressTowards(
  destination: { readonly address: string; readonly port: number },
  boundAddress: string,
): Promise<string> {
  if (boundAddress !== '0.0.0.0') return boundAddress;
  // Connecting a datagram socket picks the route and sends nothing.
  const probe = createSocket('udp4');
  try {
    probe.connect(destination.port, destination.address);
    await once(probe, 'connect');
    return probe.address().address;
  } finally {
    probe.close();
  }
}
