/** What a host must be, as libpq names it. The others of libpq ask for a standby, which takes no writes. */
const SESSION_TARGETS = ['read-write', 'primary', 'any'] as const;
export type SessionTarget = (typeof SESSION_TARGETS)[number];

export interface PostgresHost {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  /** The URL of this host alone. */
  readonly url: string;
}

export interface PostgresAddress {
  /** At least one, in the order of the URL. */
  readonly hosts: readonly PostgresHost[];
  readonly target: SessionTarget;
}

/** `problem` says what is wrong, without the value, which has a password. */
export type ParsedPostgresUrl = PostgresAddress | { readonly problem: string };

const NOT_A_URL = 'it must be a URL that begins with postgresql:// or postgres://';
const EMPTY_HOST = 'its list of hosts has an empty entry';
const BAD_HOST = 'a name in its list of hosts is not the name or address of a host';
const BAD_PORT = 'it must name ports from 1 to 65535';
const OTHER_PORTS = 'its lists of hosts and ports differ in length';
const BAD_TARGET = 'its target_session_attrs must be read-write, primary or any, since a standby takes no writes';

const DEFAULT_PORT = '5432';
const URL_PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<authority>[^/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?/i;
const HOST_AND_PORT = /^(?<host>\[[^[\]]*\]|[^:[\]]*)(?::(?<port>.*))?$/;
/** Parameters that a URL of one host does not need. */
const OF_THE_LIST = new Set(['host', 'port', 'target_session_attrs']);

/**
 * Reads a URL with one host or several, as libpq does: PostgreSQL manual, 34.1.1.3 Specifying Multiple Hosts. `URL` knows
 * no list of hosts with ports.
 */
export function parsePostgresUrl(url: string): ParsedPostgresUrl {
  const { scheme, authority = '', path = '', query = '' } = URL_PARTS.exec(url)?.groups ?? {};
  if (scheme === undefined) return { problem: NOT_A_URL };
  const parameters = new URLSearchParams(query);
  const named = entriesOf(authority.slice(authority.lastIndexOf('@') + 1), parameters);
  if ('problem' in named) return named;
  const isList = named.entries.length > 1;
  const target = targetIn(parameters, isList);
  if (target === undefined) return { problem: BAD_TARGET };
  if (!isList)
    return URL.canParse(url)
      ? { hosts: named.entries.map((one) => ({ ...seen(one), url })), target }
      : { problem: NOT_A_URL };
  const user = authority.slice(0, authority.lastIndexOf('@') + 1);
  const rest = `${path}${otherParameters(query)}`;
  const hosts = named.entries.map((one) => ({ ...seen(one), url: `${scheme}${user}${one.host}:${one.port}${rest}` }));
  return hosts.every((one) => URL.canParse(one.url)) ? { hosts, target } : { problem: BAD_HOST };
}

/** As it stands in a URL: an IPv6 address in brackets, the folder of a socket with `%2F`. */
interface Entry {
  readonly host: string;
  readonly port: string;
}

function entriesOf(
  authority: string,
  parameters: URLSearchParams,
): { readonly entries: readonly Entry[] } | { readonly problem: string } {
  const entries = hostsOf(authority, parameters);
  if (entries === null) return { problem: BAD_HOST };
  const ports = parameters.getAll('port').at(-1)?.split(',');
  if (ports !== undefined && ports.length !== 1 && ports.length !== entries.length) return { problem: OTHER_PORTS };
  const complete = entries.map(({ host, port }, index) => ({
    host,
    port: (ports === undefined ? port : ports.length === 1 ? ports[0] : ports[index]) || DEFAULT_PORT,
  }));
  if (complete.length > 1 && complete.some(({ host }) => host === '')) return { problem: EMPTY_HOST };
  return complete.every(({ port }) => isPort(port)) ? { entries: complete } : { problem: BAD_PORT };
}

/** The parameter `host` overrides the hosts before the path. Null if an entry is not a host with a port. */
function hostsOf(authority: string, parameters: URLSearchParams): readonly Entry[] | null {
  const list = parameters.getAll('host').at(-1);
  if (list) return list.split(',').map((host) => ({ host: inUrl(host), port: '' }));
  const matches = authority.split(',').map((text) => HOST_AND_PORT.exec(text)?.groups);
  if (matches.includes(undefined)) return null;
  return matches.map((groups) => ({ host: groups?.['host'] ?? '', port: groups?.['port'] ?? '' }));
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : encodeURIComponent(host);
}

function seen({ host, port }: Entry): Omit<PostgresHost, 'url'> {
  return { host: decoded(host.replaceAll(/[[\]]/g, '')), port: Number(port) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

function targetIn(parameters: URLSearchParams, isList: boolean): SessionTarget | undefined {
  const given = parameters.getAll('target_session_attrs').at(-1);
  if (given === undefined) return isList ? 'read-write' : 'any';
  return SESSION_TARGETS.find((target) => target === given);
}

/** The text of the others is kept as it is. */
function otherParameters(query: string): string {
  const others = query.split('&').filter((text) => text !== '' && !OF_THE_LIST.has(nameOf(text)));
  return others.length === 0 ? '' : `?${others.join('&')}`;
}

function nameOf(parameter: string): string {
  return [...new URLSearchParams(parameter).keys()][0] ?? '';
}
