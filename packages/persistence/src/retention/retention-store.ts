import type { AccountId, CallId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { readRetention } from './read-retention.ts';
import type { RetentionSettings } from './retention-settings.ts';

/** Where a walk through an account's calls, the oldest first, stands. */
export interface CallWalk {
  readonly createdAtMs: number;
  readonly id: CallId;
}

export interface OldCalls {
  /** Those that ended long enough ago, and that nothing waits for. */
  readonly due: readonly CallId[];
  /** Those of them that may have a recording. */
  readonly recorded: readonly CallId[];
  /** Null: the account has no more calls that are old enough. */
  readonly next: CallWalk | null;
}

/** A step through a table by its id. */
export interface TableStep {
  readonly deleted: number;
  /** The id of the last row that was looked at; null: there are no more that are old enough. */
  readonly lastId: bigint | null;
}

/** What a retention round reads and deletes, some rows at a time. Every statement goes along an index. */
export interface RetentionStore {
  settings(): Promise<RetentionSettings>;
  /** Accounts after this one that have a call from before `days` ago. */
  accountsWithOldCalls(after: AccountId | null, days: number, limit: number): Promise<readonly AccountId[]>;
  oldCalls(of: {
    readonly accountId: AccountId;
    readonly after: CallWalk | null;
    readonly days: number;
    readonly limit: number;
  }): Promise<OldCalls>;
  /** Deletes those of them that are still due. Their recordings must be gone. @returns how many */
  deleteCalls(of: {
    readonly accountId: AccountId;
    readonly callIds: readonly CallId[];
    readonly days: number;
    readonly keyDays: number;
  }): Promise<number>;
  /** Of calls that have ended. */
  deleteEvents(days: number, after: bigint, limit: number): Promise<TableStep>;
  deleteAudit(days: number, after: bigint, limit: number): Promise<TableStep>;
  /** @returns how many */
  deleteKeys(limit: number): Promise<number>;
  /** A round has deleted all that was due. */
  completed(): Promise<void>;
}

export function createRetentionStore(database: Database): RetentionStore {
  const { side } = database;
  return {
    settings: () => readRetention(database),

    async accountsWithOldCalls(after, days, limit) {
      const rows = await side.$queryRaw<{ id: AccountId }[]>`
        SELECT a.id FROM accounts a
        WHERE (${after}::uuid IS NULL OR a.id > ${after}::uuid)
          AND EXISTS (SELECT FROM calls c WHERE c.account_id = a.id AND c.created_at < ${before(days)} OFFSET 0)
        ORDER BY a.id LIMIT ${limit}::int`;
      return rows.map(({ id }) => id);
    },

    async oldCalls({ accountId, after, days, limit }) {
      const position =
        after === null
          ? Prisma.empty
          : Prisma.sql`AND (c.created_at, c.id) > (from_epoch_ms(${after.createdAtMs}::bigint), ${after.id}::uuid)`;
      const rows = await side.$queryRaw<(CallWalk & { readonly isDue: boolean; readonly isRecorded: boolean })[]>`
        SELECT c.id, epoch_ms(c.created_at) AS "createdAtMs",
          COALESCE(c.ended_at < ${before(days)}, false) AND is_call_done(c.id, c.account_id, c.campaign_id) AS "isDue",
          c.recording_key IS NOT NULL OR c.recording_pending AS "isRecorded"
        FROM calls c WHERE c.account_id = ${accountId}::uuid AND c.created_at < ${before(days)} ${position}
        ORDER BY c.created_at, c.id LIMIT ${limit}::int`;
      const last = rows.at(-1);
      const isOver = last === undefined || rows.length < limit;
      return {
        due: rows.flatMap(({ id, isDue }) => (isDue ? [id] : [])),
        recorded: rows.flatMap(({ id, isDue, isRecorded }) => (isDue && isRecorded ? [id] : [])),
        next: isOver ? null : { createdAtMs: last.createdAtMs, id: last.id },
      };
    },

    async deleteCalls({ accountId, callIds, days, keyDays }) {
      const [row] = await side.$queryRaw<{ deleted: number }[]>`
        SELECT delete_old_calls(${accountId}::uuid, ${callIds}::uuid[], ${before(days)}, ${keyDays}::int) AS deleted`;
      return row?.deleted ?? 0;
    },

    async deleteEvents(days, after, limit) {
      const [step] = await side.$queryRaw<TableStep[]>`
        WITH walked AS MATERIALIZED (
          SELECT e.id, e.call_id, e.at FROM call_events e WHERE e.id > ${after}::bigint ORDER BY e.id LIMIT ${limit}::int
        ), deleted AS (
          DELETE FROM call_events e USING walked w JOIN calls c ON c.id = w.call_id
          WHERE e.id = w.id AND w.at < ${before(days)} AND c.ended_at < ${before(days)} RETURNING 1
        )
        SELECT (SELECT count(*)::int FROM deleted) AS deleted,
          (SELECT max(w.id) FROM walked w HAVING bool_or(w.at < ${before(days)})) AS "lastId"`;
      return step ?? { deleted: 0, lastId: null };
    },

    async deleteAudit(days, after, limit) {
      const [step] = await side.$queryRaw<TableStep[]>`
        WITH walked AS MATERIALIZED (
          SELECT a.id, a.at FROM audit_entries a WHERE a.id > ${after}::bigint ORDER BY a.id LIMIT ${limit}::int
        ), deleted AS (
          DELETE FROM audit_entries a USING walked w WHERE a.id = w.id AND w.at < ${before(days)} RETURNING 1
        )
        SELECT (SELECT count(*)::int FROM deleted) AS deleted,
          (SELECT max(w.id) FROM walked w HAVING bool_or(w.at < ${before(days)})) AS "lastId"`;
      return step ?? { deleted: 0, lastId: null };
    },

    async deleteKeys(limit) {
      return side.$executeRaw`
        DELETE FROM deleted_call_keys k WHERE k.call_id IN (
          SELECT x.call_id FROM deleted_call_keys x WHERE x.expires_at <= (SELECT clock_timestamp())
          ORDER BY x.expires_at LIMIT ${limit}::int)`;
    },

    async completed() {
      await side.$executeRaw`UPDATE retention_rounds SET completed_at = clock_timestamp() WHERE id = 1`;
    },
  };
}

/** Read once a statement, so that an index is searched by it. */
function before(days: number): Prisma.Sql {
  return Prisma.sql`(SELECT clock_timestamp() - make_interval(days => ${days}::int))`;
}
