import { unreachable } from '@outdial/kernel';
import { ApiError } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf } from '../../http/own-account.ts';
import { agentNotFound } from './agent-params.ts';
import { requireUsable } from './check-settings.ts';
import { updateAgentContract } from './contracts.ts';
import type { SaveAgentDeps } from './create-agent.ts';
import { presentAgent } from './present-agent.ts';

/** A granted agent is not found either: only its owner may change it. */
export function updateAgentRoute(deps: SaveAgentDeps): AccountRoute {
  return defineRoute(
    updateAgentContract,
    async ({ principal, params, body }) => {
      await requireUsable(deps, principal.account.id, body.settings);
      const change = { settings: body.settings, baseVersion: body.base_version };
      const outcome = await ownAccountOf(deps, principal).agents.update(params.agent_id, change);
      switch (outcome.kind) {
        case 'updated':
          return { status: 200, body: { agent: presentAgent(outcome.agent, principal.account.id) } };
        case 'conflict':
          throw versionConflict(change.baseVersion, outcome.currentVersion);
        case 'not_found':
          throw notOwned();
        default:
          return unreachable(outcome);
      }
    },
    {
      completeBody: async ({ principal, params, body }) => {
        const readPrevious = async () => {
          const record = await ownAccountOf(deps, principal).agents.find(params.agent_id);
          return record?.settings.kind === 'usable' ? record.settings.settings : null;
        };
        return { ...body, settings: await deps.listTools(principal.account.id, body.settings, readPrevious) };
      },
    },
  );
}

function notOwned(): ApiError {
  return agentNotFound(
    'Your account does not own an agent with this ID. You can only change agents that your account owns.',
  );
}

function versionConflict(base: number, current: number): ApiError {
  return new ApiError({
    code: 'version_conflict',
    publicMessage: `Your change is based on version ${base}, but the agent is now at version ${current}. Load version ${current} and apply your change to it.`,
    param: 'base_version',
    details: { current_version: current },
  });
}
