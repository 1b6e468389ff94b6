import type { AccountUse } from '@outdial/calls';
import type { AccountId } from '@outdial/contracts';
import { defineScript } from './define-script.ts';

export const readAccount = defineScript<AccountId, AccountUse | null>({
  file: 'read-account-2.lua',
  keys: (keys) => [keys.gate, keys.accounts],
  args: (accountId) => [accountId],
  outcome(reply) {
    switch (reply.kind) {
      case 'open':
        return { heldMicros: reply.micros(0), openCalls: reply.integer(1) };
      case 'closed':
        return null;
      default:
        return reply.unexpected();
    }
  },
});
