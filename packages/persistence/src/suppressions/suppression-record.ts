import type { AccountId, CallId, E164, SuppressionId, SuppressionKind, SuppressionSource } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';

/** An entry of a do-not-call list that is in force. */
export interface SuppressionRecord {
  readonly id: SuppressionId;
  readonly number: E164;
  readonly kind: SuppressionKind;
  readonly source: SuppressionSource;
  readonly reason: string | null;
  readonly callId: CallId | null;
  readonly createdAtMs: number;
}

/** Of suppressions `s`. */
export const SUPPRESSION_COLUMNS = Prisma.sql`
  s.id, '+' || s.number AS number, s.kind, s.source, s.reason, s.call_id AS "callId", epoch_ms(s.created_at) AS "createdAtMs"`;

/** Whose list: an account's, or the platform's, which holds for all accounts. */
export type ListOwner = AccountId | null;

/** Condition for suppressions `s` that are in force on this list. */
export function inForceOf(owner: ListOwner): Prisma.Sql {
  return owner === null
    ? Prisma.sql`s.account_id IS NULL AND s.removed_at IS NULL`
    : Prisma.sql`s.account_id = ${owner}::uuid AND s.removed_at IS NULL`;
}
