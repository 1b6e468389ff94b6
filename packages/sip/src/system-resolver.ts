import { lookup, resolveSrv } from 'node:dns/promises';
import type { Resolver } from './resolve.ts';

/** The machine's own resolver: SRV from its name servers, addresses from its hosts file too. */
export const systemResolver: Resolver = {
  srv: (name) => resolveSrv(name),
  addresses: async (host) => (await lookup(host, { family: 4, all: true })).map(({ address }) => address),
};
