import type { ReleaseInput } from '@outdial/calls';
import { amountArgument, naturalArgument } from './arguments.ts';
import { defineScript } from './define-script.ts';

export const release = defineScript<ReleaseInput, 'released' | 'not_held' | 'closed'>({
  file: 'release-3.lua',
  keys: (keys) => [keys.gate, keys.holds, keys.accounts],
  args: ({ callId, accountId, reservationId, balance }) => [
    callId,
    accountId,
    reservationId,
    balance ? amountArgument(balance.balanceMicros) : '',
    balance ? naturalArgument('balance version', balance.balanceVersion) : '',
  ],
  // Without a balance it releases a reservation that became no call: its caller neither waits nor retries.
  isWhole: ({ balance }) => balance === undefined,
  outcome: (reply) => reply.oneOf('released', 'not_held', 'closed'),
});
