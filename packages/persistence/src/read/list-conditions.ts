import { CALL_STATES, type CallFilter, type CallReader } from '@outdial/calls';
import { Prisma } from '../generated/client.ts';

export type ListInput = Parameters<CallReader['list']>[0];

/**
 * Calls that hold a slot are few and have an index, and so have those that have not ended; most calls are ended, so the
 * account's own index serves them.
 */
function statusIs(status: NonNullable<CallFilter['status']>): Prisma.Sql {
  const phase = CALL_STATES.phases[status];
  if (phase === 'over') return Prisma.sql`c.ended_at IS NOT NULL`;
  const open = phase === 'planned' ? Prisma.sql`c.reservation_id IS NULL` : Prisma.sql`c.reservation_id IS NOT NULL`;
  return Prisma.sql`c.ended_at IS NULL AND ${open} AND c.status = ${status}::call_status`;
}

const CALL_POSITION = { createdAt: Prisma.sql`c.created_at`, id: Prisma.sql`c.id` };

/**
 * The start of a page: the filter's end or the cursor, whichever is earlier, which implies the other. With both, the
 * index would seek to one of them and scan from there to the other.
 */
export function upperBound({ filter: { createdBeforeMs }, after }: ListInput, of = CALL_POSITION): Prisma.Sql | null {
  if (after && (createdBeforeMs === undefined || after.createdAtMs < createdBeforeMs)) {
    // A row comparison: the index could not seek to "earlier, or as early with a smaller id".
    return Prisma.sql`(${of.createdAt}, ${of.id}) < (from_epoch_ms(${after.createdAtMs}::bigint), ${after.callId}::uuid)`;
  }
  if (createdBeforeMs === undefined) return null;
  return Prisma.sql`${of.createdAt} < from_epoch_ms(${createdBeforeMs}::bigint)`;
}

/** Conditions on a call `c`, without the search. */
export function conditions(input: ListInput): Prisma.Sql {
  const { status, agentId, campaignId, calleeNumber, endedReason, createdAfterMs } = input.filter;
  const all = [Prisma.sql`c.account_id = ${input.accountId}::uuid`];
  if (status !== undefined) all.push(statusIs(status));
  if (agentId !== undefined) all.push(Prisma.sql`c.agent_id = ${agentId}::uuid`);
  if (campaignId !== undefined) all.push(Prisma.sql`c.campaign_id = ${campaignId}::uuid`);
  if (calleeNumber !== undefined) all.push(Prisma.sql`c.callee_number = ${calleeNumber}`);
  if (endedReason !== undefined) all.push(Prisma.sql`c.ended_reason = ${endedReason}::ended_reason`);
  if (createdAfterMs !== undefined) all.push(Prisma.sql`c.created_at > from_epoch_ms(${createdAfterMs}::bigint)`);
  const bound = upperBound(input);
  if (bound) all.push(bound);
  return Prisma.join(all, ' AND ');
}
