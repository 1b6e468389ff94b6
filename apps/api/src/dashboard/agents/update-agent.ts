import { agentEnvelopeSchema, updateAgentSchema } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { defineDashboardContract, defineDashboardRoute, NO_QUERY, type Route } from '../../http/define-route.ts';
import { ApiError } from '../../http/api-error.ts';
import { ownAccountOf, type OwnAccountDeps } from '../own-account.ts';
import { agentNotFound, agentParams } from './agent-params.ts';
import { presentAgent } from './present-agent.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'PUT',
  path: '/api/dashboard/accounts/:account_id/agents/:agent_id',
  params: agentParams,
  query: NO_QUERY,
  body: updateAgentSchema,
  responses: { 200: agentEnvelopeSchema },
  errors: ['agent_not_found', 'version_conflict', 'body_too_large', 'unsupported_media_type'],
});

/** A granted agent is not found either: only its owner may change it. */
export function updateAgentRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, params, body }) => {
    const change = { settings: body.settings, baseVersion: body.base_version };
    const outcome = await ownAccountOf(deps, principal).agents.update(params.agent_id, change);
    switch (outcome.kind) {
      case 'updated':
        return { status: 200, body: { agent: presentAgent(outcome.agent, principal.account.id) } };
      case 'conflict':
        throw versionConflict(change.baseVersion, outcome.currentVersion);
      case 'not_found':
        throw agentNotFound(
          'Your account does not own an agent with this ID. You can only change agents that your account owns.',
        );
      default:
        return unreachable(outcome);
    }
  });
}

function versionConflict(base: number, current: number): ApiError {
  return new ApiError({
    code: 'version_conflict',
    publicMessage: `Your change is based on version ${base}, but the agent is now at version ${current}. Load version ${current} and apply your change to it.`,
    param: 'base_version',
    details: { current_version: current },
  });
}
