import { listCallsQuerySchema, matchesCallSearch, parseCallSearch, type ChangedCall } from '@outdial/contracts';

const { status, ended_reason, agent_id, campaign_id, to_number, search, created_after, created_before } =
  listCallsQuerySchema.shape;

/** The filters in the URL. An invalid part is dropped: an old or hand-typed link must still show calls. */
export const callFiltersSchema = listCallsQuerySchema
  .omit({ limit: true, cursor: true })
  .extend({
    status: status.catch(undefined),
    ended_reason: ended_reason.catch(undefined),
    agent_id: agent_id.catch(undefined),
    campaign_id: campaign_id.catch(undefined),
    to_number: to_number.catch(undefined),
    search: search.catch(undefined),
    created_after: created_after.catch(undefined),
    created_before: created_before.catch(undefined),
  })
  .strip();
export type CallFilters = ReturnType<typeof callFiltersSchema.parse>;

const FILTER_NAMES = [
  'status',
  'ended_reason',
  'agent_id',
  'campaign_id',
  'to_number',
  'search',
  'created_after',
  'created_before',
] as const satisfies readonly (keyof CallFilters)[];

/** The filters as a query string, without unset ones. */
export function filterParams(filters: CallFilters): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = filters[name];
    if (value !== undefined) params.set(name, value);
  }
  return params;
}

export function countFilters(filters: CallFilters): number {
  return FILTER_NAMES.filter((name) => filters[name] !== undefined).length;
}

/** Whether the list includes this call, by the API's own rules. */
export function matchesFilters(call: ChangedCall, filters: CallFilters): boolean {
  const createdAtMs = Date.parse(call.created_at);
  return (
    (filters.status === undefined || call.status === filters.status) &&
    (filters.ended_reason === undefined || call.ended_reason === filters.ended_reason) &&
    (filters.agent_id === undefined || call.agent_id === filters.agent_id) &&
    (filters.campaign_id === undefined || call.campaign_id === filters.campaign_id) &&
    (filters.to_number === undefined || call.callee_number === filters.to_number) &&
    (filters.search === undefined || matchesCallSearch(call, parseCallSearch(filters.search))) &&
    (filters.created_after === undefined || createdAtMs > Date.parse(filters.created_after)) &&
    (filters.created_before === undefined || createdAtMs < Date.parse(filters.created_before))
  );
}
