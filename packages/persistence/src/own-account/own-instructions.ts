import type { CallId } from '@outdial/contracts';
import { auditPart } from '../administration/audit.ts';
import type { OwnContext } from './own-context.ts';

/** The audit of instructions to live calls. Their text is in the transcript of the call, and ends with it. */
export interface OwnInstructions {
  /** False: the account has no such call. Awaited before the instruction is sent. */
  sent(callId: CallId, characters: number): Promise<boolean>;
}

export function ownInstructions({ accountId, actor, database: { side } }: OwnContext): OwnInstructions {
  return {
    async sent(callId, characters) {
      const data = { account_id: accountId, characters };
      const [row] = await side.$queryRaw<{ count: number }[]>`
        WITH changed AS (
          SELECT id FROM calls WHERE id = ${callId}::uuid AND account_id = ${accountId}::uuid
        ), ${auditPart(actor, { action: 'call.instruct', subjectId: callId, data })}
        SELECT count(*)::int AS count FROM changed`;
      return row?.count === 1;
    },
  };
}
