import { parsePostgresUrl, systemClock, type Clock } from '@outdial/kernel';
import { Client, type ClientConfig, type PoolConfig } from 'pg';
import { HostList } from './host-list.ts';
import { listedClientClass } from './listed-client.ts';

export type ClientOptions = Omit<ClientConfig, 'connectionString' | 'host' | 'port'>;

/** How to connect to the Postgres of a URL, which may name several hosts. Its clients and pools share what they learn. */
export interface PostgresHosts {
  /** For the options of a `Pool`. `connectionTimeoutMillis` is for all hosts together. */
  readonly pool: Pick<PoolConfig, 'connectionString' | 'Client'>;
  /** Not connected yet. */
  client(options?: ClientOptions): Client;
}

/** @throws if the URL cannot be used. Its message does not have the URL, which contains a password */
export function postgresHosts(url: string, clock: Clock = systemClock): PostgresHosts {
  const address = parsePostgresUrl(url);
  if ('problem' in address) throw new Error(`The URL of Postgres cannot be used: ${address.problem}.`);
  const isPlain = address.hosts.length === 1 && address.target === 'any';
  if (isPlain) {
    return {
      pool: { connectionString: url },
      client: (options = {}) => new Client({ ...options, connectionString: url }),
    };
  }
  const ListedClient = listedClientClass(new HostList(address), clock);
  return { pool: { Client: ListedClient }, client: (options = {}) => new ListedClient(options) };
}
