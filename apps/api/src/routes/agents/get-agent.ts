import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { agentNotFound } from './agent-params.ts';
import { getAgentContract } from './contracts.ts';
import { presentAgent } from './present-agent.ts';

export function getAgentRoute(deps: OwnAccountDeps): AccountRoute {
  return defineRoute(getAgentContract, async ({ principal, params }) => {
    const record = await ownAccountOf(deps, principal).agents.find(params.agent_id);
    if (record === null) throw agentNotFound('Your account has no agent with this ID.');
    return { status: 200, body: { agent: presentAgent(record, principal.account.id) } };
  });
}
