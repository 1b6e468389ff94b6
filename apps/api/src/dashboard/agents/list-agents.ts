import { agentListSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../own-account.ts';
import { presentAgent } from './present-agent.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/agents',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: agentListSchema },
  errors: [],
});

export function listAgentsRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal }) => {
    const records = await ownAccountOf(deps, principal).agents.list();
    return { status: 200, body: { agents: records.map((record) => presentAgent(record, principal.account.id)) } };
  });
}
