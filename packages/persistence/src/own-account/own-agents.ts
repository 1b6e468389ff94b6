import type { AgentId, AgentSettings } from '@outdial/contracts';
import { administerAgents, AGENTS, toAgentRecord, type AgentRecord, type AgentRow } from '../administration/agents.ts';
import { auditPart } from '../administration/audit.ts';
import { readAgentPage, usableBy, type AgentPage, type AgentPageInput } from './agent-page.ts';
import type { OwnContext } from './own-context.ts';

/** The account's agents: its own, and those granted to it, which others alone may change. */
export interface OwnAgents {
  /** Oldest first: as many as are asked for and whose settings fit into `maxBytes`, but one at least. */
  page(input: AgentPageInput): Promise<AgentPage>;
  /** Null: there is none of this id that the account may use. */
  find(agentId: AgentId): Promise<AgentRecord | null>;
  /** @throws AccountBoundReached */
  create(settings: AgentSettings): Promise<AgentRecord>;
  /** Writes a new version. Null: the account owns no agent of this id. */
  update(agentId: AgentId, settings: AgentSettings): Promise<AgentRecord | null>;
}

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
    async update(agentId, settings) {
      const updated = await side.$executeRaw`
        WITH changed AS (
          UPDATE agents SET version = version + 1
          WHERE id = ${agentId}::uuid AND account_id = ${accountId}::uuid RETURNING id, version
        ), ${auditPart(actor, { action: 'agent.update', subjectId: agentId, data: { name: settings.name } })}
        INSERT INTO agent_versions (agent_id, version, settings)
        SELECT c.id, c.version, ${JSON.stringify(settings)}::jsonb FROM changed c`;
      return updated === 0 ? null : find(agentId);
    },
  };
}
