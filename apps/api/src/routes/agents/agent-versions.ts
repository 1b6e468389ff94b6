import type { AgentVersionBody } from '@outdial/contracts';
import type { AgentVersionRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';
import { ApiError, invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { agentNotOwned } from './agent-params.ts';
import { getAgentVersionContract, listAgentVersionsContract } from './contracts.ts';
import { presentSettings } from './present-agent.ts';

export function listAgentVersionsRoute(deps: OwnAccountDeps): AccountRoute {
  return defineRoute(listAgentVersionsContract, async ({ principal, params, query: { limit, cursor } }) => {
    // One more than the page shows reveals whether there are more.
    const page = { limit: limit + 1, ...(cursor === undefined ? {} : { before: readCursor(cursor) }) };
    const records = await ownAccountOf(deps, principal).agents.versions(params.agent_id, page);
    if (records === null) throw agentNotOwned();
    const hasMore = records.length > limit;
    const versions = records.slice(0, limit).map(presentVersion);
    const last = versions.at(-1);
    return {
      status: 200,
      body: { versions, has_more: hasMore, next_cursor: hasMore && last ? String(last.version) : null },
    };
  });
}

export function getAgentVersionRoute(deps: OwnAccountDeps): AccountRoute {
  return defineRoute(getAgentVersionContract, async ({ principal, params }) => {
    const record = await ownAccountOf(deps, principal).agents.version(params.agent_id, params.version);
    if (record === null) throw versionNotFound();
    return { status: 200, body: { version: { ...presentVersion(record), ...presentSettings(record.settings) } } };
  });
}

/** The cursor is the last version of the previous page. @throws ApiError */
function readCursor(text: string): number {
  const version = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
  if (version !== null) return version;
  throw invalidRequest([{ param: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }]);
}

function presentVersion({ version, name, savedBy, createdAtMs }: AgentVersionRecord): AgentVersionBody {
  return { version, name, saved_by: savedBy, created_at: timestamp(createdAtMs) };
}

function versionNotFound(): ApiError {
  return new ApiError({
    code: 'agent_not_found',
    publicMessage: 'Your account does not own an agent with this ID that has this version.',
    param: 'version',
  });
}
