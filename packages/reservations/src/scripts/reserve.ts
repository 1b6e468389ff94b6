import type { ReserveInput, ReserveOutcome } from '@outdial/calls';
import { holdArgument } from './arguments.ts';
import { defineBatchScript } from './define-script.ts';
import type { Reply } from './reply.ts';

/** The script's arguments for one reservation. */
export type ReserveArguments = readonly [callId: string, accountId: string, reservationId: string, hold: string];

export function reserveArguments(input: ReserveInput): ReserveArguments {
  return [input.callId, input.accountId, input.reservationId, holdArgument(input.holdMicros)];
}

export const reserveAll = defineBatchScript<ReserveArguments, ReserveOutcome>({
  file: 'reserve-3.lua',
  keys: (keys) => [keys.gate, keys.holds, keys.accounts],
  args: (args) => args,
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
