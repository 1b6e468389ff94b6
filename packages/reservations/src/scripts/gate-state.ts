import type { GateState, GateToken } from '@outdial/calls';
import { formatToken } from '../token.ts';
import { defineScript } from './define-script.ts';

export const close = defineScript<GateToken, 'closed' | 'unchanged'>({
  file: 'close-1.lua',
  keys: (keys) => [keys.gate],
  args: (token) => [formatToken(token)],
  outcome: (reply) => reply.oneOf('closed', 'unchanged'),
});

export const readState = defineScript<void, GateState>({
  file: 'read-state-2.lua',
  keys: (keys) => [keys.gate, keys.holds],
  args: () => [],
  outcome(reply) {
    switch (reply.kind) {
      case 'open':
        return { open: true, token: reply.token(1), slotsInUse: reply.integer(0) };
      case 'closed':
        return { open: false, token: null, slotsInUse: reply.integer(0) };
      default:
        return reply.unexpected();
    }
  },
});
