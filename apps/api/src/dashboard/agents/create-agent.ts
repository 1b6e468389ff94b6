import { agentEnvelopeSchema, saveAgentSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { withinBounds } from '../account-bounds.ts';
import { ownAccountOf, type OwnAccountDeps } from '../own-account.ts';
import { presentAgent } from './present-agent.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'POST',
  path: '/api/dashboard/accounts/:account_id/agents',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: saveAgentSchema,
  responses: { 201: agentEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type'],
});

export function createAgentRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, body }) => {
    const record = await withinBounds(ownAccountOf(deps, principal).agents.create(body.settings));
    return { status: 201, body: { agent: presentAgent(record, principal.account.id) } };
  });
}
