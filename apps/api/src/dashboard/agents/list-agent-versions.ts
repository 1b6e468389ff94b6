import { agentVersionListSchema, listAgentVersionsSchema } from '@outdial/contracts';
import { timestamp } from '@outdial/presentation';
import { defineDashboardContract, defineDashboardRoute, NO_BODY, type Route } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../own-account.ts';
import { agentNotFound, agentParams } from './agent-params.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/agents/:agent_id/versions',
  params: agentParams,
  query: listAgentVersionsSchema,
  body: NO_BODY,
  responses: { 200: agentVersionListSchema },
  errors: ['agent_not_found'],
});

export function listAgentVersionsRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, params, query: { before, limit } }) => {
    // One more than the page shows reveals whether there are more.
    const page = { limit: limit + 1, ...(before === undefined ? {} : { before }) };
    const records = await ownAccountOf(deps, principal).agents.versions(params.agent_id, page);
    if (records === null) throw agentNotFound('Your account does not own an agent with this ID.');
    const versions = records.slice(0, limit).map(({ version, name, savedBy, createdAtMs }) => ({
      version,
      name,
      saved_by: savedBy,
      created_at: timestamp(createdAtMs),
    }));
    return { status: 200, body: { versions, has_more: records.length > limit } };
  });
}
