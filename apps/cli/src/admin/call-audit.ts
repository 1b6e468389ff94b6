import { accountIdSchema, type AccountId, type CallId } from '@outdial/contracts';
import type { Database } from '@outdial/persistence';
import { CliError } from '../cli-error.ts';

/** What an operator does to calls without going through their account. */
export interface CallAudit {
  ownerOf(callId: CallId): Promise<AccountId>;
  /** Written before the call is ended, so that every attempt to end a call is on record, failed ones too. */
  recordEnd(callId: CallId): Promise<void>;
}

export function createCallAudit({ side }: Database, actor: string): CallAudit {
  return {
    async ownerOf(callId) {
      const call = await side.call.findUnique({ where: { id: callId }, select: { accountId: true } });
      if (call) return accountIdSchema.parse(call.accountId);
      throw new CliError(`There is no call ${callId}. List an account's calls for their ids.`);
    },
    async recordEnd(callId) {
      await side.auditEntry.create({ data: { actor, action: 'call.end', subjectType: 'call', subjectId: callId } });
    },
  };
}
