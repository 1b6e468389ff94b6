import type { HoldFundsOutcome, ReserveInput } from '@outdial/calls';
import { holdArgument } from './arguments.ts';
import { defineScript } from './define-script.ts';

export const holdFunds = defineScript<ReserveInput, HoldFundsOutcome>({
  file: 'hold-funds-3.lua',
  keys: (keys) => [keys.gate, keys.holds, keys.accounts],
  args: (input) => [input.callId, input.accountId, input.reservationId, holdArgument(input.holdMicros)],
  outcome(reply) {
    switch (reply.kind) {
      case 'closed':
      case 'duplicate':
        return { kind: reply.kind };
      case 'held':
      case 'account_unknown':
        return { kind: reply.kind, token: reply.token(0) };
      case 'insufficient_funds':
        return { kind: 'insufficient_funds', availableMicros: reply.micros(0) };
      default:
        return reply.unexpected();
    }
  },
});
