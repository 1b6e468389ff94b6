import type { CallFilter } from '@outdial/calls';
import { parseCallSearch, type ListCallsQuery } from '@outdial/contracts';

/** The filter that a query selects, without paging. */
export function filterOf(query: Omit<ListCallsQuery, 'limit' | 'cursor'>): CallFilter {
  return {
    ...(query.status === undefined ? {} : { status: query.status }),
    ...(query.agent_id === undefined ? {} : { agentId: query.agent_id }),
    ...(query.campaign_id === undefined ? {} : { campaignId: query.campaign_id }),
    ...(query.to_number === undefined ? {} : { calleeNumber: query.to_number }),
    ...(query.ended_reason === undefined ? {} : { endedReason: query.ended_reason }),
    ...(query.search === undefined ? {} : { search: parseCallSearch(query.search) }),
    ...(query.created_after === undefined ? {} : { createdAfterMs: Date.parse(query.created_after) }),
    ...(query.created_before === undefined ? {} : { createdBeforeMs: Date.parse(query.created_before) }),
  };
}
