import { withinBounds } from '../../http/account-bounds.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { requireUsable, type CheckSettingsDeps } from './check-settings.ts';
import { createAgentContract } from './contracts.ts';
import type { ListTools } from './list-tools.ts';
import { presentAgent } from './present-agent.ts';

export interface SaveAgentDeps extends OwnAccountDeps, CheckSettingsDeps {
  readonly listTools: ListTools;
}

export function createAgentRoute(deps: SaveAgentDeps): AccountRoute {
  return defineRoute(
    createAgentContract,
    async ({ principal, body }) => {
      await requireUsable(deps, principal.account.id, body.settings);
      const record = await withinBounds(ownAccountOf(deps, principal).agents.create(body.settings));
      return { status: 201, body: { agent: presentAgent(record, principal.account.id) } };
    },
    {
      completeBody: async ({ principal, body }) => {
        return { ...body, settings: await deps.listTools(principal.account.id, body.settings) };
      },
    },
  );
}
