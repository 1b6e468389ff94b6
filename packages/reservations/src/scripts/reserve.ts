import type { ReserveInput, ReserveOutcome } from '@outdial/calls';
import { holdArgument } from './arguments.ts';
import { defineScript } from './define-script.ts';
import type { Reply } from './reply.ts';

export const reserve = defineScript<ReserveInput, ReserveOutcome>({
  file: 'reserve-3.lua',
  keys: (keys) => [keys.gate, keys.holds, keys.accounts],
  args: (input) => [input.callId, input.accountId, input.reservationId, holdArgument(input.holdMicros)],
  outcome(reply) {
    switch (reply.kind) {
      case 'closed':
      case 'duplicate':
        return { kind: reply.kind };
      case 'reserved':
      case 'account_unknown':
        return { kind: reply.kind, token: reply.token(0) };
      case 'insufficient_funds':
        return { kind: 'insufficient_funds', availableMicros: reply.micros(0) };
      case 'capacity_exceeded':
        return { kind: 'capacity_exceeded', scope: scopeOf(reply), limit: reply.integer(1), inUse: reply.integer(2) };
      default:
        return reply.unexpected();
    }
  },
});

function scopeOf(reply: Reply): 'account' | 'system' {
  const scope = reply.text(0);
  return scope === 'account' || scope === 'system' ? scope : reply.unexpected();
}
