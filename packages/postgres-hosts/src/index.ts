export { postgresHosts, type PostgresHosts } from './postgres-hosts.ts';
