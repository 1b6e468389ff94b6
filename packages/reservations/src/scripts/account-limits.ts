import type { AccountLimits, GateToken } from '@outdial/calls';
import { formatToken } from '../token.ts';
import { amountArgument, naturalArgument } from './arguments.ts';
import { defineScript } from './define-script.ts';

/** In the order of the arguments of every script that takes an account's limits. */
export function accountLimitsArguments(limits: AccountLimits): readonly string[] {
  return [
    limits.accountId,
    amountArgument(limits.balanceMicros),
    naturalArgument('balance version', limits.balanceVersion),
    naturalArgument('capacity', limits.capacity),
    naturalArgument('capacity version', limits.capacityVersion),
  ];
}

export interface LoadAccountInput {
  readonly token: GateToken;
  readonly limits: AccountLimits;
}

export const loadAccount = defineScript<LoadAccountInput, 'loaded' | 'closed'>({
  file: 'load-account-2.lua',
  keys: (keys) => [keys.gate, keys.accounts],
  args: ({ token, limits }) => [formatToken(token), ...accountLimitsArguments(limits)],
  outcome: (reply) => reply.oneOf('loaded', 'closed'),
});

export const refreshAccount = defineScript<AccountLimits, 'refreshed' | 'unchanged' | 'closed'>({
  file: 'refresh-account-2.lua',
  keys: (keys) => [keys.gate, keys.accounts],
  args: accountLimitsArguments,
  outcome: (reply) => reply.oneOf('refreshed', 'unchanged', 'closed'),
});
