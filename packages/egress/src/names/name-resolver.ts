import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { callbackify } from 'node:util';
import { EgressError } from '../egress-error.ts';
import type { EgressScope } from '../policy.ts';
import { candidatesOf, createWatchedFile, parseHosts, parseResolvConf } from './system-files.ts';

/** All addresses of a name, as `dns.lookup` with `all` gives them. */
export type ResolveName = (
  hostname: string,
  options: { readonly all: true; readonly family: number },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface NameResolverOptions {
  /** Name servers with their port. Default: those of resolv.conf. */
  readonly servers?: readonly string[];
  readonly hostsPath?: string;
  readonly resolvConfPath?: string;
  /** Until a server counts as silent, for the first of two tries. */
  readonly timeoutMs?: number;
}

export interface NameResolver {
  /** Names of the public internet are asked for as they are; those of the allow list also with the operator's domains. */
  resolveFor(scope: EgressScope): ResolveName;
}

const LOOPBACK = ['127.0.0.1', '::1'];
const TRIES = 2;

/**
 * Resolves names as the system does, from the hosts file and from its name servers, in no thread. `dns.lookup` occupies one of
 * the two threads that a process has for it: two names of one customer, whose servers stay silent, would keep all others from
 * being resolved for ten seconds and more.
 */
export function createNameResolver({
  servers,
  hostsPath = '/etc/hosts',
  resolvConfPath = '/etc/resolv.conf',
  timeoutMs = 1_500,
}: NameResolverOptions = {}): NameResolver {
  const hosts = createWatchedFile(hostsPath, parseHosts);
  // A resolver reads the name servers once, when it is made.
  const system = createWatchedFile(resolvConfPath, (text) => ({
    rules: parseResolvConf(text),
    resolver: resolverOf(timeoutMs, servers),
  }));

  async function addressesOf(hostname: string, scope: EgressScope): Promise<readonly string[]> {
    const name = hostname.toLowerCase();
    const known = hosts().get(name.replace(/\.$/, ''));
    if (known !== undefined) return known;
    // RFC 6761 section 6.3: never a name of the internet.
    if (/(?:^|\.)localhost\.?$/.test(name)) return LOOPBACK;
    const { rules, resolver } = system();
    const candidates = scope === 'internet' ? [name.replace(/\.$/, '')] : candidatesOf(name, rules);
    let silent: EgressError | null = null;
    for (const candidate of candidates) {
      const answer = await askFor(candidate, resolver);
      if (answer instanceof EgressError) silent = answer;
      else if (answer.length > 0) return answer;
    }
    throw silent ?? new EgressError('name_not_found', 'the name of the host has no address');
  }

  const lookup = callbackify(async (hostname: string, scope: EgressScope, family: number) =>
    ofFamily(await addressesOf(hostname, scope), family),
  );
  return {
    resolveFor:
      (scope) =>
      (hostname, { family }, callback) => {
        lookup(hostname, scope, family, (error, addresses) => callback(error, addresses ?? []));
      },
  };
}

function resolverOf(timeoutMs: number, servers: readonly string[] | undefined): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}

/** No address if the name has none; an error if its servers answer for neither family. */
async function askFor(name: string, resolver: dns.Resolver): Promise<readonly string[] | EgressError> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failure = answers.find((answer) => answer.status === 'rejected' && !saysNone(answer.reason));
  if (addresses.length > 0 || failure === undefined) return addresses;
  return new EgressError('name_not_found', 'the name servers of the host do not answer');
}

const NONE: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
const saysNone = (error: unknown) => error instanceof Error && 'code' in error && NONE.has(error.code);

function ofFamily(addresses: readonly string[], family: number): LookupAddress[] {
  return addresses
    .map((address) => ({ address, family: isIP(address) }))
    .filter((each) => each.family !== 0 && (family === 0 || each.family === family));
}
