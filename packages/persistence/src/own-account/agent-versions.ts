import type { StoredSettings } from '@outdial/calls';
import type { AgentId } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import { readSettings } from '../stored-settings.ts';
import type { OwnContext } from './own-context.ts';

/** One saved version of an agent. */
export interface AgentVersionRecord {
  readonly version: number;
  readonly createdAtMs: number;
  /** The agent's name in this version; null if it is unreadable. */
  readonly name: string | null;
  /** The name of the user who saved it; null for a key, an operator or an unknown user. */
  readonly savedBy: string | null;
}

/** One version with its settings. */
export interface AgentVersionSettings extends AgentVersionRecord {
  readonly settings: StoredSettings;
}

export interface VersionPage {
  /** The last version of the previous page. */
  readonly before?: number;
  readonly limit: number;
}

/** Of a version `v` of an agent `g`. */
const VERSION_COLUMNS = Prisma.sql`
  v.version, epoch_ms(v.created_at) AS "createdAtMs", v.settings ->> 'name' AS name,
  (SELECT u.name FROM users u JOIN memberships m ON m.user_id = u.id AND m.account_id = g.account_id
   WHERE v.created_by = 'user:' || u.id::text) AS "savedBy"`;

/** Null if the account does not own the agent, or the agent has no such version. */
export async function findVersion(
  { database: { side }, accountId }: OwnContext,
  agentId: AgentId,
  version: number,
): Promise<AgentVersionSettings | null> {
  const [row] = await side.$queryRaw<(AgentVersionRecord & { readonly settings: unknown })[]>`
    SELECT ${VERSION_COLUMNS}, v.settings FROM agents g JOIN agent_versions v ON v.agent_id = g.id
    WHERE g.id = ${agentId}::uuid AND g.account_id = ${accountId}::uuid AND v.version = ${version}::int`;
  return row ? { ...row, settings: readSettings(row.settings) } : null;
}

/**
 * An agent's versions, newest first. Null if the account does not own the agent. Only members of the account are named:
 * customers do not learn who operates the installation.
 */
export async function listVersions(
  { database: { side }, accountId }: OwnContext,
  agentId: AgentId,
  { before, limit }: VersionPage,
): Promise<readonly AgentVersionRecord[] | null> {
  const rows = await side.$queryRaw<(Omit<AgentVersionRecord, 'version'> & { readonly version: number | null })[]>`
    SELECT ${VERSION_COLUMNS}
    FROM agents g LEFT JOIN LATERAL (
      SELECT * FROM agent_versions v WHERE v.agent_id = g.id AND v.version < ${before ?? null}::int IS NOT FALSE
      ORDER BY v.version DESC LIMIT ${limit}::int
    ) v ON true
    WHERE g.id = ${agentId}::uuid AND g.account_id = ${accountId}::uuid ORDER BY v.version DESC`;
  if (rows.length === 0) return null;
  return rows.flatMap(({ version, ...row }) => (version === null ? [] : [{ ...row, version }]));
}
