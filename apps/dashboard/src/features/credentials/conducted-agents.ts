import type { AgentBody, AgentSettings } from '@outdial/contracts';
import { queryOptions } from '@tanstack/react-query';
import { accountKey, agentQuery, agentsQuery } from '../../shared/account/queries.ts';

export interface ConductedAgent {
  readonly name: string;
  readonly settings: AgentSettings;
}

/** The account's agents that use models, with their settings. One request after the other: there may be a hundred. */
export const conductedAgentsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'conducted-agents'],
    queryFn: async ({ client }): Promise<readonly ConductedAgent[]> => {
      const found: ConductedAgent[] = [];
      for (const { id, driver, owned } of await client.fetchQuery(agentsQuery(accountId))) {
        if (!owned || driver === 'scripted') continue;
        const { name, settings }: AgentBody = await client.fetchQuery(agentQuery(accountId, id));
        if (settings !== null) found.push({ name, settings });
      }
      return found;
    },
    // An agent may have changed since the dialog was last open.
    staleTime: 0,
  });
