import type { StoreProfile } from '../profile.ts';

export interface RedisConfig {
  readonly profile: StoreProfile;
  readonly port: number;
  readonly password: string;
  /** The folder of its files, as the server sees it. */
  readonly dir: string;
  /**
   * In a container it must listen on the container's own address; Docker publishes the container's port on loopback.
   */
  readonly bind: '127.0.0.1' | '0.0.0.0';
}

/** The text of redis.conf. A file, because every account can see arguments and one value is a password. */
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
    // The append-only file is the only persistence; a snapshot beside it would be a second, older copy.
    'save ""',
    ...persistence,
    '',
  ].join('\n');
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
