import { envInteger, type EnvSpec } from '@outdial/kernel';

const limit = envInteger({ min: 1, max: 1_000_000 });

/** What a key and an account may use at most. An account's limits hold for all of its keys together. */
export const limitsEnv = {
  OUTDIAL_KEY_REQUESTS_PER_SECOND: {
    schema: limit.default(100),
    description: 'Requests that an API key may send in a second, unless the key has a limit of its own.',
  },
  OUTDIAL_KEY_STREAMS: {
    schema: limit.default(100),
    description: 'Event streams that an API key may hold open with one process.',
  },
  OUTDIAL_ACCOUNT_REQUESTS_PER_SECOND: {
    schema: limit.default(300),
    description:
      'Requests that all keys of an account may send in a second, and all of its members in the dashboard. A key with a higher limit of its own may use that.',
  },
  OUTDIAL_ACCOUNT_STREAMS: {
    schema: limit.default(200),
    description: 'Event streams that the keys of an account may hold open with one process, and its members.',
  },
  OUTDIAL_ACCOUNT_READS: {
    schema: limit.default(2),
    description: 'Lists and pages of exports that one process reads for an account at the same time.',
  },
  OUTDIAL_ACCOUNT_API_KEYS: {
    schema: limit.default(50),
    description: 'API keys that an account may have: those that work, and those of the last 24 hours.',
  },
  OUTDIAL_ACCOUNT_AGENTS: {
    schema: limit.default(100),
    description: 'Agents that an account may own.',
  },
  OUTDIAL_ACCOUNT_INVITATIONS: {
    schema: limit.default(50),
    description: 'Invitations of an account that may be open at the same time.',
  },
} as const satisfies EnvSpec;
