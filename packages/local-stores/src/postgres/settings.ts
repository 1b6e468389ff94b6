import type { StoreProfile } from '../profile.ts';

/** Settings for the command line, where they override the data folder's own files. */
export function postgresArgs(clusterDir: string, port: number, profile: StoreProfile): readonly string[] {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // No socket files: their default folder often belongs to another account.
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(profile === 'fast' ? FAST : DURABLE),
  };
  return ['-D', clusterDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_connections: '100' };

// synchronous_commit stays on: without it a killed server loses commits that it has confirmed, even while the machine
// stays up.
const FAST = { fsync: 'off', synchronous_commit: 'on', full_page_writes: 'off', max_connections: '300' };
