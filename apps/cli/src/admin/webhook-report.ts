import type { DeliveryRecord, OwnedWebhookEndpoint, ReplayRecord, WebhooksState } from '@outdial/persistence';
import { formatTable, type Column } from '../terminal/table.ts';
import { isoTime, isoTimeOrNull, shownTime } from './columns.ts';
import type { Json, Report } from './report.ts';

const ENDPOINT_COLUMNS: readonly Column<OwnedWebhookEndpoint>[] = [
  { title: 'ENDPOINT', value: ({ id }) => id },
  { title: 'KIND', value: ({ kind }) => kind },
  {
    title: 'STATE',
    value: ({ state, disabledReason }) => (disabledReason === null ? state : `${state}: ${disabledReason}`),
  },
  { title: 'FAILURES', value: ({ failures }) => String(failures), align: 'right' },
  { title: 'LAST SUCCESS', value: ({ lastSuccessAtMs }) => shownTime(lastSuccessAtMs) },
  { title: 'URL', value: ({ url }) => url ?? '-' },
];

export function endpointsReport(endpoints: readonly OwnedWebhookEndpoint[]): Report {
  const text = formatTable(ENDPOINT_COLUMNS, endpoints, 'There is no endpoint.');
  return { json: { endpoints: endpoints.map(endpointJson) }, text };
}

export function endpointReport(endpoint: OwnedWebhookEndpoint): Report {
  const json = { endpoint: endpointJson(endpoint) };
  return { json, text: formatTable(ENDPOINT_COLUMNS, [endpoint], '') };
}

function endpointJson(endpoint: OwnedWebhookEndpoint): Json {
  return {
    id: endpoint.id,
    account_id: endpoint.accountId,
    kind: endpoint.kind,
    url: endpoint.url,
    description: endpoint.description,
    events: [...endpoint.events],
    state: endpoint.state,
    disabled_reason: endpoint.disabledReason,
    disabled_at: isoTimeOrNull(endpoint.disabledAtMs),
    failures_in_a_row: endpoint.failures,
    failing_since: isoTimeOrNull(endpoint.failingSinceMs),
    last_success_at: isoTimeOrNull(endpoint.lastSuccessAtMs),
    last_error: endpoint.lastError,
    created_at: isoTime(endpoint.createdAtMs),
  };
}

const DELIVERY_COLUMNS: readonly Column<DeliveryRecord>[] = [
  { title: 'MESSAGE', value: ({ messageId }) => messageId },
  { title: 'TYPE', value: ({ type }) => type },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'ATTEMPTS', value: ({ attempts }) => String(attempts), align: 'right' },
  { title: 'LAST', value: ({ lastStatus, lastError }) => String(lastStatus ?? lastError ?? '-') },
  { title: 'NEXT', value: ({ dueAtMs }) => shownTime(dueAtMs) },
];

export function deliveriesReport(deliveries: readonly DeliveryRecord[]): Report {
  const json = {
    deliveries: deliveries.map((delivery) => ({
      message_id: delivery.messageId,
      type: delivery.type,
      call_id: delivery.callId,
      state: delivery.state,
      attempt_count: delivery.attempts,
      last_status: delivery.lastStatus,
      last_error: delivery.lastError,
      next_attempt_at: isoTimeOrNull(delivery.dueAtMs),
      created_at: isoTime(delivery.createdAtMs),
    })),
  };
  return { json, text: formatTable(DELIVERY_COLUMNS, deliveries, 'There is no delivery.') };
}

export function replayReport({ id, state, sinceMs, untilMs, only }: ReplayRecord): Report {
  const [since, until] = [isoTime(sinceMs), isoTime(untilMs)];
  return {
    json: { replay: { id, state, since, until, only } },
    text: [`Replay ${id} is ${state}: events from ${since} to ${until}.`],
  };
}

export function sendingReport({ paused, changedAtMs, changedBy }: WebhooksState): Report {
  const changedAt = isoTimeOrNull(changedAtMs);
  const state = paused ? 'Webhooks are paused: none is sent.' : 'Webhooks are sent.';
  const since = changedAt === null ? [] : [`Since ${changedAt}, by ${changedBy}.`];
  return { json: { webhooks: { paused, changed_at: changedAt, changed_by: changedBy } }, text: [state, ...since] };
}
