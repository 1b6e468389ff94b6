import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import type { HeavyReads } from '../../http/heavy-reads.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { readAgentCursor, writeAgentCursor } from './agent-cursor.ts';
import { listAgentsContract } from './contracts.ts';
import { presentAgentSummary } from './present-agent.ts';

export interface ListAgentsDeps extends OwnAccountDeps {
  readonly heavyReads: HeavyReads;
}

/** Concurrent reads of settings: the list shows their variables and whether they are valid. */
const PAGE_BYTES = 500_000;

export function listAgentsRoute(deps: ListAgentsDeps): AccountRoute {
  return defineRoute(listAgentsContract, async ({ principal, query: { limit, cursor } }) => {
    const accountId = principal.account.id;
    const after = cursor === undefined ? null : readAgentCursor(cursor);
    const { agents, hasMore } = await deps.heavyReads.read(
      accountId,
      () => ownAccountOf(deps, principal).agents.page({ after, limit, maxBytes: PAGE_BYTES }),
      ({ bytes }) => bytes,
    );
    const last = agents.at(-1);
    return {
      status: 200,
      body: {
        agents: agents.map((record) => presentAgentSummary(record, accountId)),
        has_more: hasMore,
        next_cursor: hasMore && last ? writeAgentCursor(last) : null,
      },
    };
  });
}
