import { describe, expect, it } from 'vitest';
import { inSrvOrder, resolveUri, type Resolver, type SrvRecord } from './resolve.ts';
import { parseSipUri } from './syntax/uri.ts';

const RECORDS: Readonly<Record<string, readonly SrvRecord[]>> = {
  '_sip._udp.trunk.test': [
    { name: 'b.test', port: 5070, priority: 20, weight: 0 },
    { name: 'a.test', port: 5060, priority: 10, weight: 0 },
  ],
  '_sip._tcp.tcponly.test': [{ name: 'b.test', port: 5080, priority: 1, weight: 0 }],
  '_sips._tcp.trunk.test': [{ name: 'a.test', port: 5061, priority: 1, weight: 0 }],
};
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'a.test': ['192.0.2.1', '192.0.2.2'],
  'b.test': ['192.0.2.3'],
  'plain.test': ['192.0.2.4'],
};

const resolver: Resolver = {
  srv: (name) => Promise.resolve(RECORDS[name] ?? []),
  addresses: (host) => (ADDRESSES[host] ? Promise.resolve(ADDRESSES[host]) : Promise.reject(new Error('ENOTFOUND'))),
};

async function resolve(text: string): Promise<string[] | string> {
  const uri = parseSipUri(text);
  if (uri === undefined) throw new Error(`not a URI: ${text}`);
  const outcome = await resolveUri(uri, resolver, () => 0);
  if (outcome.kind === 'unresolvable') return outcome.reason;
  return outcome.destinations.map(
    ({ transport, address, port, serverName }) =>
      `${transport} ${address}:${port}${serverName ? ` ${serverName}` : ''}`,
  );
}

describe('where a request is sent (RFC 3263 section 4)', () => {
  it.each([
    ['sip:1@192.0.2.9', ['UDP 192.0.2.9:5060']],
    ['sip:1@192.0.2.9:5090;transport=TCP', ['TCP 192.0.2.9:5090']],
    ['sips:1@192.0.2.9', ['TLS 192.0.2.9:5061']],
    ['sip:1@x.test;maddr=192.0.2.8', ['UDP 192.0.2.8:5060']],
    ['sip:1@trunk.test', ['UDP 192.0.2.1:5060', 'UDP 192.0.2.2:5060', 'UDP 192.0.2.3:5070']],
    ['sip:1@tcponly.test', ['TCP 192.0.2.3:5080']],
    ['sip:1@trunk.test;transport=tls', ['TLS 192.0.2.1:5061 trunk.test', 'TLS 192.0.2.2:5061 trunk.test']],
    ['sips:1@trunk.test', ['TLS 192.0.2.1:5061 trunk.test', 'TLS 192.0.2.2:5061 trunk.test']],
    ['sip:1@plain.test', ['UDP 192.0.2.4:5060']],
    ['sip:1@plain.test;transport=tls', ['TLS 192.0.2.4:5061 plain.test']],
    ['sip:1@plain.test:5099', ['UDP 192.0.2.4:5099']],
  ])('%s', async (uri, destinations) => {
    expect(await resolve(uri)).toEqual(destinations);
  });

  it.each([
    ['sip:1@nowhere.test', /nowhere\.test has no IPv4 address/],
    ['sip:1@trunk.test;transport=sctp', /transport/],
    ['sips:1@trunk.test;transport=udp', /transport/],
    ['sip:1@[2001:db8::1]', /IPv6/],
  ])('%s does not resolve, with a reason', async (uri, reason) => {
    expect(await resolve(uri)).toMatch(reason);
  });
});

const record = (name: string, priority: number, weight: number) => ({ name, port: 5060, priority, weight });

describe('SRV records (RFC 2782)', () => {
  it('are tried by priority, and "." means no service', () => {
    const records = [record('late', 2, 0), record('.', 1, 0), record('early', 1, 0)];
    expect(inSrvOrder(records, Math.random).map(({ name }) => name)).toEqual(['early', 'late']);
  });

  it('of one priority are picked in proportion to their weights', () => {
    const records = [record('light', 1, 1), record('heavy', 1, 3), record('none', 1, 0)];
    const firsts = Array.from({ length: 400 }, (_, at) => inSrvOrder(records, () => at / 400)[0]?.name);
    expect(firsts.filter((name) => name === 'heavy')).toHaveLength(300);
    expect(firsts.filter((name) => name === 'light')).toHaveLength(100);
  });
});
