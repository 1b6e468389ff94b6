import { agentEnvelopeSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../own-account.ts';
import { agentNotFound, agentParams } from './agent-params.ts';
import { presentAgent } from './present-agent.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/agents/:agent_id',
  params: agentParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: agentEnvelopeSchema },
  errors: ['agent_not_found'],
});

export function getAgentRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, params }) => {
    const record = await ownAccountOf(deps, principal).agents.find(params.agent_id);
    if (record === null) throw agentNotFound('Your account has no agent with this ID.');
    return { status: 200, body: { agent: presentAgent(record, principal.account.id) } };
  });
}
