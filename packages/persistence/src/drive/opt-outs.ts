import type { DriveStore, FencedOutcome, OptOut } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { sqlStatusesIn } from '../sql/call-states.ts';
import { storableJson } from '../sql/storable-json.ts';

export type OptOutInput = Parameters<DriveStore['optOut']>[0];

/** An opt-out as a row of a statement's input. */
export const toStoredOptOut = ({ evidence, note }: OptOut) => ({ evidence, note });

/**
 * The CTEs that put the callees of `opting` on the do-not-call lists of their accounts, and say so in the timelines, once a
 * call. `opting` has the columns `id`, `account_id`, `callee_number`, `opt_out` and `at`, and only calls that the statement
 * has locked.
 *
 * An entry waits for another statement that adds the same one. So every statement adds its entries last, after it has locked
 * calls and wallets, and in the order of number and account: two of them cannot wait for each other.
 */
export const STORE_OPT_OUTS = Prisma.sql`
    suppressed AS (
      INSERT INTO suppressions (account_id, number, kind, source, reason, call_id, created_by, created_at)
      SELECT o.account_id, substr(o.callee_number, 2)::bigint AS number, 'opt_out', 'call', o.opt_out->>'note', o.id, 'callee',
        clock_timestamp()
      FROM opting o ORDER BY number, o.account_id
      ON CONFLICT (number, account_id, kind) WHERE removed_at IS NULL DO NOTHING
    ), opted_out AS (
      INSERT INTO call_events (call_id, at, type, data)
      SELECT o.id, o.at, 'opted_out', jsonb_strip_nulls(o.opt_out) FROM opting o
      WHERE NOT has_opted_out(o.id) ORDER BY o.id
    )`;

interface AnswerRow {
  readonly callId: CallId;
  readonly held: boolean;
  readonly endRequested: boolean;
}

/**
 * Stores opt-outs. They have their own statement, because one may wait for another opt-out of the same number, and no
 * renewal of a lease may wait with it. The opt-out of a driver that lost its call is stored all the same: the callee said it.
 * The epoch only decides the answer.
 */
export async function storeOptOuts(
  { hot }: Database,
  inputs: readonly OptOutInput[],
): Promise<readonly FencedOutcome[]> {
  const batch = storableJson(
    inputs.map((input) => ({
      id: input.callId,
      epoch: input.epoch,
      at_ms: Math.round(input.atMs),
      opt_out: toStoredOptOut(input),
    })),
  );
  const answers = await hot.$queryRaw<AnswerRow[]>`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${batch}::jsonb) AS r(id uuid, epoch int, at_ms bigint, opt_out jsonb)
    ), locked AS MATERIALIZED (
      SELECT c.id, c.account_id, c.callee_number, c.started_at, c.answered_at, c.end_requested_at,
        c.epoch = i.epoch AND c.status IN ${sqlStatusesIn('driven')} AS held
      FROM input i JOIN calls c ON c.id = i.id AND c.epoch >= i.epoch ORDER BY c.id FOR NO KEY UPDATE OF c
    ), opting AS MATERIALIZED (
      SELECT l.id, l.account_id, l.callee_number, i.opt_out,
        GREATEST(from_epoch_ms(i.at_ms), l.started_at, l.answered_at) AS at
      FROM locked l JOIN input i ON i.id = l.id
    ), ${STORE_OPT_OUTS}
    SELECT i.id AS "callId", COALESCE(l.held, false) AS held, l.end_requested_at IS NOT NULL AS "endRequested"
    FROM input i LEFT JOIN locked l ON l.id = i.id`;
  const byCall = new Map(answers.map((answer) => [answer.callId, answer]));
  return inputs.map(({ callId }) => {
    const answer = byCall.get(callId);
    return answer?.held ? { kind: 'written', endRequested: answer.endRequested } : { kind: 'fenced' };
  });
}
