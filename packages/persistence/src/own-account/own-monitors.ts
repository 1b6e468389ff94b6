import type { CallId } from '@outdial/contracts';
import { auditPart } from '../administration/audit.ts';
import type { OwnContext } from './own-context.ts';

/** The audit of members who listen to live calls. */
export interface OwnMonitors {
  /** False: the account has no such call. Awaited before any sound is sent. */
  began(callId: CallId): Promise<boolean>;
  ended(callId: CallId, seconds: number): Promise<void>;
}

export function ownMonitors({ accountId, actor, database: { side } }: OwnContext): OwnMonitors {
  async function note(action: `call.${string}`, callId: CallId, more: Readonly<Record<string, unknown>>) {
    const data = { account_id: accountId, ...more };
    const [row] = await side.$queryRaw<{ count: number }[]>`
      WITH changed AS (
        SELECT id FROM calls WHERE id = ${callId}::uuid AND account_id = ${accountId}::uuid
      ), ${auditPart(actor, { action, subjectId: callId, data })}
      SELECT count(*)::int AS count FROM changed`;
    return row?.count === 1;
  }
  return {
    began: (callId) => note('call.listen', callId, {}),
    async ended(callId, seconds) {
      await note('call.stop_listening', callId, { seconds });
    },
  };
}
