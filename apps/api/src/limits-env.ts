import { envInteger, type EnvSpec } from '@outdial/kernel';

const count = (fallback: number, max = 1_000_000) => envInteger({ min: 1, max }).default(fallback);

/** What a key and an account may use at most. An account's limits hold for all of its keys together. */
export const limitsEnv = {
  OUTDIAL_KEY_REQUESTS_PER_SECOND: {
    schema: count(100),
    description: 'Requests that an API key may send in a second, unless the key has a limit of its own.',
  },
  OUTDIAL_KEY_STREAMS: {
    schema: count(100, 100_000),
    description: 'Event streams that an API key may hold open with one process.',
  },
  OUTDIAL_ACCOUNT_REQUESTS_PER_SECOND: {
    schema: count(300),
    description:
      'Requests that all keys of an account may send in a second, and all of its members in the dashboard. A key with a higher limit of its own may use that.',
  },
  OUTDIAL_ACCOUNT_STREAMS: {
    schema: count(200, 100_000),
    description: 'Event streams that the keys of an account may hold open with one process, and its members.',
  },
  OUTDIAL_ACCOUNT_READS: {
    schema: count(2, 100),
    description: 'Lists, timelines and pages of exports that one process reads for an account at the same time.',
  },
  OUTDIAL_ACCOUNT_API_KEYS: {
    schema: count(50, 100_000),
    description: 'API keys that an account may have: those that work, and those of the last 24 hours.',
  },
  OUTDIAL_ACCOUNT_AGENTS: {
    schema: count(100, 100_000),
    description: 'Agents that an account may own.',
  },
  OUTDIAL_ACCOUNT_INVITATIONS: {
    schema: count(50, 100_000),
    description: 'Invitations of an account that may be open at the same time.',
  },
} as const satisfies EnvSpec;
