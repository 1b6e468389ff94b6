import {
  WEBHOOK_ATTEMPT_ERRORS,
  type WebhookAttemptError,
  type WebhookDeliveryBody,
  type WebhookEndpointBody,
  type WebhookMessageDetailBody,
  type WebhookReplayBody,
} from '@outdial/contracts';
import type {
  AttemptRecord,
  DeliveryRecord,
  MessageRecord,
  ReplayRecord,
  WebhookEndpointRecord,
} from '@outdial/persistence';
import { timestamp, timestampOrNull } from '@outdial/presentation';

export function presentEndpoint(record: WebhookEndpointRecord): WebhookEndpointBody {
  const lastError = errorOf(record.lastError);
  return {
    id: record.id,
    url: record.url ?? '',
    events: [...record.events],
    description: record.description,
    rate_per_second: record.ratePerSecond,
    state: record.state,
    disabled_reason: record.disabledReason,
    disabled_at: timestampOrNull(record.disabledAtMs),
    api_version: record.apiVersion,
    secret_made_at: timestamp(record.secretMadeAtMs),
    previous_secret_until: timestampOrNull(record.previousUntilMs),
    failures_in_a_row: record.failures,
    failing_since: timestampOrNull(record.failingSinceMs),
    last_success_at: timestampOrNull(record.lastSuccessAtMs),
    last_error: lastError && { status: record.lastStatus, error: lastError },
    running_replay_id: record.runningReplayId,
    created_at: timestamp(record.createdAtMs),
  };
}

export function presentDelivery(record: DeliveryRecord): WebhookDeliveryBody {
  return {
    message_id: record.messageId,
    endpoint_id: record.endpointId,
    type: record.type,
    call_id: record.callId,
    campaign_id: record.campaignId,
    state: record.state,
    attempt_count: record.attempts,
    last_status: record.lastStatus,
    last_error: errorOf(record.lastError),
    next_attempt_at: timestampOrNull(record.dueAtMs),
    delivered_at: timestampOrNull(record.deliveredAtMs),
    created_at: timestamp(record.createdAtMs),
  };
}

export function presentMessage(record: MessageRecord): WebhookMessageDetailBody['message'] {
  return {
    id: record.id,
    type: record.type,
    call_id: record.callId,
    campaign_id: record.campaignId,
    occurred_at: timestamp(record.occurredAtMs),
    created_at: timestamp(record.createdAtMs),
    body: record.body,
  };
}

export function presentAttempt(
  record: AttemptRecord,
): WebhookMessageDetailBody['deliveries'][number]['attempts'][number] {
  return {
    number: record.number,
    started_at: timestamp(record.startedAtMs),
    duration_ms: record.durationMs,
    status: record.status,
    error: errorOf(record.error),
    response_headers: record.responseHeaders,
    response_body: record.responseBody,
  };
}

export function presentReplay(record: ReplayRecord): WebhookReplayBody {
  return {
    id: record.id,
    endpoint_id: record.endpointId,
    since: timestamp(record.sinceMs),
    until: timestamp(record.untilMs),
    events: [...record.events],
    only: record.only,
    state: record.state,
    replayed: record.replayed,
    created_at: timestamp(record.createdAtMs),
  };
}

/** A later version, which runs next to this one during an upgrade, may know more errors. */
function errorOf(text: string | null): WebhookAttemptError | null {
  return text === null ? null : (WEBHOOK_ATTEMPT_ERRORS.find((error) => error === text) ?? 'connect');
}
