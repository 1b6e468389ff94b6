import { envInteger, type EnvSpec } from '@outdial/kernel';

const limit = envInteger({ min: 1, max: 1_000_000 });

/** The most that a key and an account may use. An account's limits apply to all of its keys together. */
export const limitsEnv = {
  OUTDIAL_KEY_REQUESTS_PER_SECOND: {
    schema: limit.default(100),
    description: 'Requests per second of an API key, unless the key has its own limit.',
  },
  OUTDIAL_KEY_STREAMS: {
    schema: limit.default(100),
    description: 'Concurrent event streams of an API key in one process.',
  },
  OUTDIAL_ACCOUNT_REQUESTS_PER_SECOND: {
    schema: limit.default(300),
    description:
      'Requests per second of all keys of an account together, and of all its members in the dashboard. A key with a higher limit may use its own.',
  },
  OUTDIAL_ACCOUNT_STREAMS: {
    schema: limit.default(200),
    description: 'Concurrent event streams of the keys of an account in one process, and of its members.',
  },
  OUTDIAL_ACCOUNT_READS: {
    schema: limit.default(2),
    description: 'Lists and export pages that one process reads concurrently for an account.',
  },
  OUTDIAL_ACCOUNT_API_KEYS: {
    schema: limit.default(50),
    description: 'API keys per account: valid keys, and keys created in the last 24 hours.',
  },
  OUTDIAL_ACCOUNT_AGENTS: {
    schema: limit.default(100),
    description: 'Agents per account.',
  },
  OUTDIAL_ACCOUNT_CREDENTIALS: {
    schema: limit.default(50),
    description: 'Provider credentials per account.',
  },
  OUTDIAL_ACCOUNT_SECRETS: {
    schema: limit.default(100),
    description: 'Secrets per account, for the tools of its agents.',
  },
  OUTDIAL_ACCOUNT_CHECKS_PER_MINUTE: {
    schema: limit.default(20),
    description:
      'Checks of provider credentials per minute of an account, and as many saves of agents with MCP servers.',
  },
  OUTDIAL_ACCOUNT_INVITATIONS: {
    schema: limit.default(50),
    description: 'Open invitations per account.',
  },
} as const satisfies EnvSpec;
