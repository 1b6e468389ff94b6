export interface HostPort {
  /** A name or an address. IPv6 has no brackets. */
  readonly host: string;
  readonly port: number;
}

/** `host`, `host:port`, `[IPv6]` or `[IPv6]:port`. */
const ENTRY = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/;
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** Parses hosts that commas separate. Returns a clause for the operator if it cannot. */
export function parseHosts(list: string, defaultPort: number): readonly HostPort[] | string {
  if (list === '') return 'it names no host';
  const hosts: HostPort[] = [];
  for (const entry of list.split(',')) {
    const [, address, name, port = String(defaultPort)] = ENTRY.exec(entry) ?? [];
    const host = address ?? name ?? '';
    if (address === undefined ? !NAME.test(host) : !URL.canParse(`http://[${host}]`)) {
      return 'each host must be a name, an IPv4 address or an IPv6 address in brackets, with commas between them';
    }
    if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
      return 'each port must be a whole number from 1 to 65535';
    }
    hosts.push({ host, port: Number(port) });
  }
  return hosts;
}
