import type { AgentId, AgentSettings } from '@outdial/contracts';
import { administerAgents, AGENTS, toAgentRecord, type AgentRecord, type AgentRow } from '../administration/agents.ts';
import { auditPart } from '../administration/audit.ts';
import { readAgentPage, usableBy, type AgentPage, type AgentPageInput } from './agent-page.ts';
import {
  findVersion,
  listVersions,
  type AgentVersionRecord,
  type AgentVersionSettings,
  type VersionPage,
} from './agent-versions.ts';
import type { OwnContext } from './own-context.ts';

/** The agents that the account may use: its own, and granted ones, which it cannot change. */
export interface OwnAgents {
  /** Oldest first: up to `limit` agents whose settings fit into `maxBytes`, but at least one. */
  page(input: AgentPageInput): Promise<AgentPage>;
  /** Null if the account may not use an agent of this id. */
  find(agentId: AgentId): Promise<AgentRecord | null>;
  /** @throws AccountBoundReached */
  create(settings: AgentSettings): Promise<AgentRecord>;
  /** Writes a new version if `baseVersion` is still current: of two concurrent changes, the second changes nothing. */
  update(agentId: AgentId, change: AgentChange): Promise<AgentUpdate>;
  /** Newest first. Null if the account does not own the agent. */
  versions(agentId: AgentId, page: VersionPage): Promise<readonly AgentVersionRecord[] | null>;
  /** Null if the account does not own the agent, or it has no such version. */
  version(agentId: AgentId, version: number): Promise<AgentVersionSettings | null>;
}

export interface AgentChange {
  readonly settings: AgentSettings;
  /** The version that the change is based on. */
  readonly baseVersion: number;
}

export type AgentUpdate =
  | { readonly kind: 'updated'; readonly agent: AgentRecord }
  | { readonly kind: 'conflict'; readonly currentVersion: number }
  /** The account does not own an agent of this id. */
  | { readonly kind: 'not_found' };

export function ownAgents(context: OwnContext): OwnAgents {
  const { accountId, actor, bounds } = context;
  const { side } = context.database;
  const agents = administerAgents(context);

  async function find(agentId: AgentId): Promise<AgentRecord | null> {
    const [row] = await side.$queryRaw<AgentRow[]>`
      ${AGENTS} WHERE g.id = ${agentId}::uuid AND ${usableBy(accountId)}`;
    return row ? toAgentRecord(row) : null;
  }

  return {
    page: (input) => readAgentPage(context, input),
    find,
    create: (settings) => agents.create({ accountId, settings, maxOfAccount: bounds.agents }),
    versions: (agentId, page) => listVersions(context, agentId, page),
    version: (agentId, version) => findVersion(context, agentId, version),
    async update(agentId, { settings, baseVersion }) {
      const data = { account_id: accountId, name: settings.name, version: baseVersion + 1 };
      const updated = await side.$executeRaw`
        WITH changed AS (
          UPDATE agents SET version = version + 1
          WHERE id = ${agentId}::uuid AND account_id = ${accountId}::uuid AND version = ${baseVersion}::int
          RETURNING id, version
        ), ${auditPart(actor, { action: 'agent.update', subjectId: agentId, data })}
        INSERT INTO agent_versions (agent_id, version, settings, created_by)
        SELECT c.id, c.version, ${JSON.stringify(settings)}::jsonb, ${actor} FROM changed c`;
      const agent = await find(agentId);
      if (agent === null || agent.accountId !== accountId) return { kind: 'not_found' };
      return updated === 0 ? { kind: 'conflict', currentVersion: agent.version } : { kind: 'updated', agent };
    },
  };
}
