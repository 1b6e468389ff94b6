import type { AccountId, AgentId } from '@outdial/contracts';
import { toAgentRecord, type AgentRecord, type AgentRow } from '../administration/agents.ts';
import { Prisma } from '../generated/client.ts';
import type { OwnContext } from './own-context.ts';

/** The last agent of the previous page. */
export interface AgentCursor {
  readonly createdAtMs: number;
  readonly id: AgentId;
}

export interface AgentPageInput {
  readonly after: AgentCursor | null;
  readonly limit: number;
  /** Maximum size of the settings as text. */
  readonly maxBytes: number;
}

export interface AgentPage {
  readonly agents: readonly AgentRecord[];
  readonly hasMore: boolean;
  /** Size of the settings as text. */
  readonly bytes: number;
}

/** Condition for agents `g` that the account owns or was granted. */
export const usableBy = (accountId: AccountId): Prisma.Sql => Prisma.sql`(g.account_id = ${accountId}::uuid OR EXISTS (
  SELECT FROM agent_grants t WHERE t.agent_id = g.id AND t.account_id = ${accountId}::uuid))`;

interface PageRow extends AgentRow {
  readonly found: number;
  readonly runningBytes: number;
}

/** Postgres adds up the sizes and cuts the page, so that agents beyond it are not sent. */
export async function readAgentPage(context: OwnContext, input: AgentPageInput): Promise<AgentPage> {
  const { after, limit, maxBytes } = input;
  const isLater =
    after === null
      ? Prisma.sql`true`
      : Prisma.sql`(epoch_ms(g.created_at), g.id) > (${after.createdAtMs}::float8, ${after.id}::uuid)`;
  const rows = await context.database.side.$queryRaw<PageRow[]>`
    SELECT g.id, g.account_id AS "accountId", g.version, g.settings, epoch_ms(g.created_at) AS "createdAtMs",
      g.found, g.running_bytes AS "runningBytes"
    FROM (
      SELECT g.*, (count(*) OVER ())::int AS found, (sum(g.bytes) OVER (
        ORDER BY g.created_at, g.id ROWS UNBOUNDED PRECEDING))::int AS running_bytes
      FROM (
        SELECT g.id, g.account_id, g.version, g.created_at, v.settings, octet_length(v.settings::text) AS bytes
        FROM agents g JOIN agent_versions v ON v.agent_id = g.id AND v.version = g.version
        WHERE ${usableBy(context.accountId)} AND ${isLater}
        ORDER BY g.created_at, g.id LIMIT ${limit + 1}::int
      ) g
    ) g
    WHERE g.running_bytes <= ${maxBytes}::int OR g.running_bytes = g.bytes
    ORDER BY g.created_at, g.id LIMIT ${limit}::int`;
  const last = rows.at(-1);
  return {
    agents: rows.map(({ found: _found, runningBytes: _runningBytes, ...row }) => toAgentRecord(row)),
    hasMore: last !== undefined && last.found > rows.length,
    bytes: last?.runningBytes ?? 0,
  };
}
