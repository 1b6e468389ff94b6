import type { AccountId, CallId, SuppressionId, SuppressionSource } from '@outdial/contracts';
import type { ListContext } from './add-suppressions.ts';
import { storableJson } from '../sql/storable-json.ts';
import { announceEnded, endSuppressedAfter } from '../drive/end-suppressed.ts';
import { SUPPRESSION_COLUMNS, type SuppressionRecord } from './suppression-record.ts';

export interface PassedOnOptOut {
  readonly accountId: AccountId;
  readonly callId: CallId;
  readonly source: SuppressionSource;
  /** What the callee said. */
  readonly reason?: string | undefined;
}

/**
 * An opt-out that a person passes on. Repeating it changes nothing. A call that rings or talks goes on. Null: the account
 * has no such call.
 */
export async function optOutCall(context: ListContext, input: PassedOnOptOut): Promise<SuppressionRecord | null> {
  const { database, actor, onCommitted } = context;
  const { accountId, callId, source, reason } = input;
  const batch = storableJson({ account_id: accountId, call_id: callId, source, reason, actor });
  const [answer] = await database.side.$queryRaw<{ id: SuppressionId; isNew: boolean }[]>`
    SELECT o.suppression_id AS id, o.is_new AS "isNew" FROM opt_out_call(${batch}::jsonb) o`;
  if (!answer) return null;
  onCommitted?.([callId]);
  // It reads every call to the number: a client that repeats the request must not repeat that.
  if (answer.isNew) void announceEnded(endSuppressedAfter(database, callId), onCommitted);
  const [record] = await database.side.$queryRaw<SuppressionRecord[]>`
    SELECT ${SUPPRESSION_COLUMNS} FROM suppressions s WHERE s.id = ${answer.id}::uuid`;
  return record ?? null;
}
