import { agentEnvelopeSchema, saveAgentSchema } from '@outdial/contracts';
import { defineDashboardContract, defineDashboardRoute, NO_QUERY, type Route } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../own-account.ts';
import { agentNotFound, agentParams } from './agent-params.ts';
import { presentAgent } from './present-agent.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'PUT',
  path: '/api/dashboard/accounts/:account_id/agents/:agent_id',
  params: agentParams,
  query: NO_QUERY,
  body: saveAgentSchema,
  responses: { 200: agentEnvelopeSchema },
  errors: ['agent_not_found', 'body_too_large', 'unsupported_media_type'],
});

/** Of a granted agent the answer is the same as of none: it is not the account's to change. */
export function updateAgentRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, params, body }) => {
    const record = await ownAccountOf(deps, principal).agents.update(params.agent_id, body.settings);
    if (record === null) throw agentNotFound('Your account owns no agent of this id: only its own can be changed.');
    return { status: 200, body: { agent: presentAgent(record, principal.account.id) } };
  });
}
