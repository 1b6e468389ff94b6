import type { Database } from '../database.ts';

/** A notice is a banner and an e-mail: both are read within days. */
const NOTICE_DAYS = 30;

/**
 * Deletes replays that ended before the retention, and notices of a month ago, at most `most` of each. A replay that runs
 * stays. @returns how many rows
 */
export async function deleteOldRecords(
  { side }: Pick<Database, 'side'>,
  { retentionDays, most }: { readonly retentionDays: number; readonly most: number },
): Promise<number> {
  const replays = await side.$executeRaw`
    WITH old AS MATERIALIZED (
      SELECT r.id FROM webhook_replays r
      WHERE r.created_at < clock_timestamp() - make_interval(days => ${retentionDays}::int) AND r.state <> 'running'
      ORDER BY r.created_at LIMIT ${most}::int FOR UPDATE SKIP LOCKED
    )
    DELETE FROM webhook_replays r USING old o WHERE r.id = o.id`;
  const notices = await side.$executeRaw`
    WITH old AS MATERIALIZED (
      SELECT n.id FROM account_notices n
      WHERE n.created_at < clock_timestamp() - make_interval(days => ${NOTICE_DAYS}::int)
      ORDER BY n.created_at LIMIT ${most}::int FOR UPDATE SKIP LOCKED
    )
    DELETE FROM account_notices n USING old o WHERE n.id = o.id`;
  return replays + notices;
}
