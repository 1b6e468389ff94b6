import { randomUUID } from 'node:crypto';
import type { StoredSettings } from '@outdial/calls';
import { agentIdSchema, type AccountId, type AgentId, type AgentSettings } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import { readSettings } from '../stored-settings.ts';
import { AccountBoundReached, queryWithAccountLocked } from './account-bounds.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { accountNotFound, agentNotFound, refusal } from './refusal.ts';

export interface AgentRecord {
  readonly id: AgentId;
  /** The owner. Other accounts use the agent through a grant. */
  readonly accountId: AccountId;
  /** The version that new calls get. An accepted call keeps its version. */
  readonly version: number;
  readonly settings: StoredSettings;
  readonly createdAtMs: number;
}

export interface AgentGrantInput {
  readonly agentId: AgentId;
  readonly accountId: AccountId;
}

export interface AgentAdministration {
  /** @throws AccountBoundReached if the account owns `maxOfAccount` agents */
  create(input: {
    readonly accountId: AccountId;
    readonly settings: AgentSettings;
    readonly maxOfAccount?: number;
  }): Promise<AgentRecord>;
  /**
   * Writes a new version; existing versions never change. With a `baseVersion`, throws `version_conflict` if the agent's
   * current version is another one.
   */
  update(input: {
    readonly agentId: AgentId;
    readonly settings: AgentSettings;
    readonly baseVersion?: number | undefined;
  }): Promise<AgentRecord>;
  show(agentId: AgentId): Promise<AgentRecord>;
  /** The account's own agents and those granted to it, oldest first. */
  list(accountId: AccountId): Promise<readonly AgentRecord[]>;
  /** Lets another account use the agent. Repeating it changes nothing. */
  grant(input: AgentGrantInput): Promise<void>;
  /** Revokes the grant for new calls; accepted ones go on. */
  revoke(input: AgentGrantInput): Promise<void>;
}

export type AgentRow = Omit<AgentRecord, 'settings'> & { readonly settings: unknown };

export const toAgentRecord = (row: AgentRow): AgentRecord => ({ ...row, settings: readSettings(row.settings) });

export const AGENTS = Prisma.sql`
  SELECT g.id, g.account_id AS "accountId", g.version, v.settings, epoch_ms(g.created_at) AS "createdAtMs"
  FROM agents g JOIN agent_versions v ON v.agent_id = g.id AND v.version = g.version`;

export function administerAgents(context: AdministrationContext): AgentAdministration {
  const { side } = context.database;

  async function show(agentId: AgentId): Promise<AgentRecord> {
    const [row] = await side.$queryRaw<AgentRow[]>`${AGENTS} WHERE g.id = ${agentId}::uuid`;
    if (!row) throw agentNotFound(agentId);
    return toAgentRecord(row);
  }

  return {
    async create({ accountId, settings, maxOfAccount }) {
      const agentId = agentIdSchema.parse(randomUUID());
      const data = { account_id: accountId, name: settings.name };
      const hasRoom =
        maxOfAccount === undefined
          ? Prisma.sql`true`
          : Prisma.sql`${maxOfAccount}::int > (SELECT count(*) FROM agents o WHERE o.account_id = ${accountId}::uuid)`;
      const statement = Prisma.sql`
        WITH changed AS (
          INSERT INTO agents (id, account_id)
          SELECT ${agentId}::uuid, a.id FROM accounts a WHERE a.id = ${accountId}::uuid AND ${hasRoom}
          RETURNING id, version
        ), ${auditPart(context.actor, { action: 'agent.create', subjectId: agentId, data })}
        INSERT INTO agent_versions (agent_id, version, settings, created_by)
        SELECT c.id, c.version, ${JSON.stringify(settings)}::jsonb, ${context.actor} FROM changed c RETURNING agent_id`;
      const created = await queryWithAccountLocked(context.database, accountId, statement);
      if (created.length > 0) return show(agentId);
      throw maxOfAccount === undefined ? accountNotFound(accountId) : new AccountBoundReached('agents', maxOfAccount);
    },
    async update({ agentId, settings, baseVersion }) {
      const { accountId } = await show(agentId);
      const data = { account_id: accountId, name: settings.name };
      const updated = await side.$executeRaw`
        WITH changed AS (
          UPDATE agents SET version = version + 1
          WHERE id = ${agentId}::uuid AND version = COALESCE(${baseVersion ?? null}::int, version)
          RETURNING id, version
        ), ${auditPart(context.actor, { action: 'agent.update', subjectId: agentId, data })}
        INSERT INTO agent_versions (agent_id, version, settings, created_by)
        SELECT c.id, c.version, ${JSON.stringify(settings)}::jsonb, ${context.actor} FROM changed c`;
      const now = await show(agentId);
      if (updated === 0) throw versionConflict(now.version);
      return now;
    },
    show,
    async list(accountId) {
      const rows = await side.$queryRaw<AgentRow[]>`
        ${AGENTS} WHERE g.account_id = ${accountId}::uuid
          OR g.id IN (SELECT t.agent_id FROM agent_grants t WHERE t.account_id = ${accountId}::uuid)
        ORDER BY g.created_at, g.id`;
      return rows.map(toAgentRecord);
    },
    grant: (input) => grant(context, input),
    revoke: (input) => revoke(context, input),
  };
}

function versionConflict(currentVersion: number) {
  const message = `The agent has been saved since: its version is now ${currentVersion}. Read that version and apply your change to it.`;
  return refusal('version_conflict', 'base_version', message);
}

async function grant({ database: { side }, actor }: AdministrationContext, input: AgentGrantInput): Promise<void> {
  const { agentId, accountId } = input;
  const entry = { action: 'agent.grant', subjectId: agentId, data: { account_id: accountId } } as const;
  const [known] = await side.$queryRaw<{ agent: boolean; account: boolean }[]>`
    WITH changed AS (
      INSERT INTO agent_grants (agent_id, account_id)
      SELECT g.id, a.id FROM agents g, accounts a WHERE g.id = ${agentId}::uuid AND a.id = ${accountId}::uuid
      ON CONFLICT DO NOTHING RETURNING agent_id
    ), ${auditPart(actor, entry)}
    SELECT EXISTS (SELECT FROM agents WHERE id = ${agentId}::uuid) AS agent,
           EXISTS (SELECT FROM accounts WHERE id = ${accountId}::uuid) AS account`;
  if (!known?.agent) throw agentNotFound(agentId);
  if (!known.account) throw accountNotFound(accountId);
}

async function revoke({ database: { side }, actor }: AdministrationContext, input: AgentGrantInput): Promise<void> {
  const { agentId, accountId } = input;
  const entry = { action: 'agent.revoke', subjectId: agentId, data: { account_id: accountId } } as const;
  await side.$executeRaw`
    WITH changed AS (
      DELETE FROM agent_grants WHERE agent_id = ${agentId}::uuid AND account_id = ${accountId}::uuid RETURNING agent_id
    ), ${auditPart(actor, entry)}
    SELECT count(*) FROM changed`;
}
