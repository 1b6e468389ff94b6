import { agentListSchema, listAgentsQuerySchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  type Route,
} from '../../http/define-route.ts';
import type { HeavyReads } from '../../http/heavy-reads.ts';
import { ownAccountOf, type OwnAccountDeps } from '../own-account.ts';
import { readAgentCursor, writeAgentCursor } from './agent-cursor.ts';
import { presentAgentSummary } from './present-agent.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/agents',
  params: NO_PARAMS,
  query: listAgentsQuerySchema,
  body: NO_BODY,
  responses: { 200: agentListSchema },
  errors: [],
});

export interface ListAgentsDeps extends OwnAccountDeps {
  readonly heavyReads: HeavyReads;
}

/** Concurrent reads of settings: the list shows their variables and whether they are valid. */
const PAGE_BYTES = 500_000;

export function listAgentsRoute(deps: ListAgentsDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, query: { limit, cursor } }) => {
    const accountId = principal.account.id;
    const after = cursor === undefined ? null : readAgentCursor(cursor);
    const { agents, hasMore } = await deps.heavyReads.read(
      accountId,
      () => ownAccountOf(deps, principal).agents.page({ after, limit, maxBytes: PAGE_BYTES }),
      ({ bytes }) => bytes,
    );
    const last = agents.at(-1);
    return {
      status: 200,
      body: {
        agents: agents.map((record) => presentAgentSummary(record, accountId)),
        has_more: hasMore,
        next_cursor: hasMore && last ? writeAgentCursor(last) : null,
      },
    };
  });
}
