import type { Mutant } from './mutant.ts';

const LUA = 'packages/reservations/src/lua';
const EVALUATE = 'packages/calls/src/lines/evaluate-breaker.ts';

/** The safeguards of breakers: calls wait for a model that is down, and no account takes a model from others. */
export const BREAKER_MUTANTS = {
  breaker_open: {
    guarantee: 'no call passes an open breaker',
    patches: [
      {
        file: `${LUA}/includes/breakers.lua`,
        find: '    return math.ceil((outage.untilMicros - now) / 1000)',
        replace: '    return 0',
      },
    ],
    profile: 'breakers',
    seed: 2,
  },
  breaker_probe: {
    guarantee: 'a half-open breaker lets one call through, which decides',
    patches: [
      {
        file: `${LUA}/includes/breakers.lua`,
        find: '  if isProbing(outage, now) then',
        replace: '  if false then',
      },
    ],
    profile: 'breakers',
    seed: 2,
  },
  breaker_fallback: {
    guarantee: 'a fallback whose breaker is open gets no line',
    patches: [
      {
        file: `${LUA}/take-line-5.lua`,
        find: 'local heldBack = lineHeldBackMs(keys, callId, hold.accountId, line)',
        replace: 'local heldBack = 0',
      },
    ],
    profile: 'breakers',
    seed: 54,
  },
  breaker_accounts: {
    guarantee: 'a breaker that accounts share opens for faults of two of them',
    patches: [
      { file: EVALUATE, find: 'const FAULTS_OF_ONE = 3;', replace: 'const FAULTS_OF_ONE = 20;' },
      { file: EVALUATE, find: 'const LEAST_ACCOUNTS = 2;', replace: 'const LEAST_ACCOUNTS = 1;' },
    ],
    profile: 'breakers',
    seed: 4,
  },
} satisfies Readonly<Record<string, Mutant>>;
