export { postgresHosts, type ClientOptions, type PostgresHosts } from './postgres-hosts.ts';
