import type { StoreProfile } from '../profile.ts';

export interface RedisConfig {
  readonly profile: StoreProfile;
  readonly port: number;
  readonly password: string;
  /** Where its files lie, as the server sees it. */
  readonly dir: string;
  /** Inside a container it must listen on the container's own address; the container's port is published on loopback. */
  readonly bind: '127.0.0.1' | '0.0.0.0';
}

/** Directives of redis.conf. A file, since arguments are visible to every account of the machine and one is a password. */
export function redisConfig(config: RedisConfig): string {
  const persistence =
    config.profile === 'durable' ? ['appendonly yes', 'appendfsync everysec'] : ['appendonly no', 'databases 512'];
  return [
    `bind ${config.bind}`,
    `port ${config.port}`,
    `requirepass ${config.password}`,
    `dir ${quoted(config.dir)}`,
    'daemonize no',
    // An evicted key would be a lost reservation.
    'maxmemory-policy noeviction',
    // The append-only file is the only persistence; a snapshot beside it would be a second, older truth.
    'save ""',
    ...persistence,
    '',
  ].join('\n');
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
