import type { CallFilter, CallReader } from '@outdial/calls';
import { Prisma } from '../generated/client.ts';

export type ListInput = Parameters<CallReader['list']>[0];

/** Open calls are found among the open ones, which are few; ended ones are most, so the account's own order serves. */
function statusIs(status: NonNullable<CallFilter['status']>): Prisma.Sql {
  return status === 'ended'
    ? Prisma.sql`c.ended_at IS NOT NULL`
    : Prisma.sql`c.ended_at IS NULL AND c.status = ${status}::call_status`;
}

const CALL_POSITION = { createdAt: Prisma.sql`c.created_at`, id: Prisma.sql`c.id` };

/**
 * Where the page may begin: the filter's end or the cursor, whichever is earlier; it implies the other. Given both, the
 * index would seek to one of them and walk from there to the other.
 */
export function upperBound({ filter: { createdBeforeMs }, after }: ListInput, of = CALL_POSITION): Prisma.Sql | null {
  if (after && (createdBeforeMs === undefined || after.createdAtMs < createdBeforeMs)) {
    // One comparison of the pair: as "earlier, or as early with a smaller id" the index could not seek to it.
    return Prisma.sql`(${of.createdAt}, ${of.id}) < (from_epoch_ms(${after.createdAtMs}::bigint), ${after.callId}::uuid)`;
  }
  if (createdBeforeMs === undefined) return null;
  return Prisma.sql`${of.createdAt} < from_epoch_ms(${createdBeforeMs}::bigint)`;
}

/** Of a call `c`, but for the search. */
export function conditions(input: ListInput): Prisma.Sql {
  const { status, agentId, calleeNumber, endedReason, createdAfterMs } = input.filter;
  const all = [Prisma.sql`c.account_id = ${input.accountId}::uuid`];
  if (status !== undefined) all.push(statusIs(status));
  if (agentId !== undefined) all.push(Prisma.sql`c.agent_id = ${agentId}::uuid`);
  if (calleeNumber !== undefined) all.push(Prisma.sql`c.callee_number = ${calleeNumber}`);
  if (endedReason !== undefined) all.push(Prisma.sql`c.ended_reason = ${endedReason}::ended_reason`);
  if (createdAfterMs !== undefined) all.push(Prisma.sql`c.created_at > from_epoch_ms(${createdAfterMs}::bigint)`);
  const bound = upperBound(input);
  if (bound) all.push(bound);
  return Prisma.join(all, ' AND ');
}
