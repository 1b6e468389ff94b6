import { parseHosts, type HostPort } from './host-list.ts';

/** Where Redis is. */
export type RedisAddress =
  /** One server, or what leads to the primary: a proxy, a DNS name. The client reads this URL itself. */
  | { readonly kind: 'server'; readonly url: string }
  | ({
      readonly kind: 'sentinel';
      readonly sentinels: readonly HostPort[];
      /** As the Sentinels name the primary and its replicas. */
      readonly primaryName: string;
      readonly database: number;
    } & RedisCredentials)
  | ({ readonly kind: 'cluster'; readonly nodes: readonly HostPort[] } & RedisCredentials);

interface RedisCredentials {
  /** Of Redis itself. The Sentinels have their own. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly tls: boolean;
}

/** The URL cannot be used. `message` is a clause for the operator: `it names …`. It repeats nothing secret. */
export class RedisUrlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RedisUrlError';
  }
}

const SENTINEL_PORT = 26_379;
const REDIS_PORT = 6_379;
const SERVER_SCHEMES = ['redis', 'rediss', 'unix'];
const GROUP_SCHEMES = /^(rediss?)\+(sentinel|cluster)$/;
const SCHEMES =
  'it must be a URL that begins with redis:// or rediss:// or unix://, or with redis+sentinel:// or redis+cluster:// and a list of hosts';

/** Takes a URL of several hosts apart, which `URL` cannot read. @throws RedisUrlError */
export function parseRedisUrl(text: string): RedisAddress {
  const [, scheme = '', rest = ''] = /^([A-Za-z+]+):\/\/(.*)$/s.exec(text) ?? [];
  const name = scheme.toLowerCase();
  if (SERVER_SCHEMES.includes(name)) return serverOf(text, rest);
  const [, transport, group] = GROUP_SCHEMES.exec(name) ?? [];
  if (transport === undefined) throw new RedisUrlError(SCHEMES);
  if (/[?#]/.test(rest)) throw new RedisUrlError('it has a `?` or a `#`: write those of a password as %3F and %23');
  const slash = rest.indexOf('/');
  const [authority, path] = slash === -1 ? [rest, ''] : [rest.slice(0, slash), rest.slice(slash + 1)];
  // Of several, the last one: a password may contain others.
  const at = authority.lastIndexOf('@');
  const hosts = authority.slice(at + 1);
  const credentials = { ...credentialsOf(authority.slice(0, Math.max(0, at))), tls: transport === 'rediss' };
  if (group === 'cluster') {
    if (path !== '' && path !== '0') throw new RedisUrlError('it names a database, and a Redis Cluster has only one');
    return { kind: 'cluster', nodes: hostsOf(hosts, REDIS_PORT), ...credentials };
  }
  return { kind: 'sentinel', sentinels: hostsOf(hosts, SENTINEL_PORT), ...groupOf(path), ...credentials };
}

/** The hosts without credentials, for people. */
export function redisHosts(address: RedisAddress): string {
  // The URL of a socket has no host.
  if (address.kind === 'server') return new URL(address.url).host || 'that address';
  const hosts = address.kind === 'sentinel' ? address.sentinels : address.nodes;
  return hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');
}

function serverOf(url: string, rest: string): RedisAddress {
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(',')) {
    throw new RedisUrlError('it names several hosts: begin it with redis+sentinel:// or redis+cluster://, or name one');
  }
  if (!URL.canParse(url)) throw new RedisUrlError(SCHEMES);
  return { kind: 'server', url };
}

function hostsOf(list: string, defaultPort: number): readonly HostPort[] {
  const parsed = parseHosts(list, defaultPort);
  if (typeof parsed === 'string') throw new RedisUrlError(parsed);
  return parsed;
}

function groupOf(path: string): { readonly primaryName: string; readonly database: number } {
  const [name = '', database = '', ...more] = path.split('/');
  const primaryName = decoded(name);
  if (primaryName === '') {
    throw new RedisUrlError(
      'it does not name the primary: end it with the name that the Sentinels have for it, as in /mymaster',
    );
  }
  // What Sentinel itself accepts as a name.
  if (!/^[\w.-]+$/.test(primaryName)) {
    throw new RedisUrlError('the name of the primary must consist of letters and digits, `.`, `-` and `_`');
  }
  if (more.length > 0 || !/^\d{0,5}$/.test(database)) {
    throw new RedisUrlError(
      'it must end with /<name of the primary> or /<name of the primary>/<number of the database>',
    );
  }
  return { primaryName, database: Number(database) };
}

function credentialsOf(text: string): Omit<RedisCredentials, 'tls'> {
  const colon = text.indexOf(':');
  const [username, password] = colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  return { username: decoded(username) || undefined, password: decoded(password) || undefined };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisUrlError('it has a `%` without two hexadecimal digits: write a percent sign as %25');
  }
}
