import type {
  WebhookAttemptError,
  WebhookDeliveryState,
  WebhookDisabledReason,
  WebhookEndpointBody,
} from '@outdial/contracts';
import type { Tone } from '../../shared/words/tone.ts';

const ERROR_WORDS: Readonly<Record<Exclude<WebhookAttemptError, 'status'>, string>> = {
  timeout: 'No response in time',
  dns: 'Host name not found',
  refused_address: 'Address is not on the public internet',
  connect: 'No connection',
  tls: 'Certificate or TLS failed',
  reset: 'Connection was closed',
  too_large: 'Response was too large',
  secret: 'Secret cannot be opened: rotate it',
  body: 'Message could not be formed: nothing was sent',
};

/** What went wrong with an attempt. */
export function errorWords(error: WebhookAttemptError, status: number | null): string {
  if (error !== 'status') return ERROR_WORDS[error];
  return status === null ? 'Rejected by the receiver' : `Receiver answered ${status}`;
}

export interface StateWords {
  readonly label: string;
  readonly tone: Tone;
}

export const DELIVERY_WORDS: Readonly<Record<WebhookDeliveryState, StateWords>> = {
  pending: { label: 'Pending', tone: 'active' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  dropped: { label: 'Dropped', tone: 'neutral' },
};

const DISABLED_WORDS: Readonly<Record<WebhookDisabledReason, string>> = {
  owner: 'Disabled',
  failing: 'Disabled: it failed for five days',
  gone: 'Disabled: it answered 410',
  operator: 'Disabled by an operator',
};

export function endpointWords(endpoint: WebhookEndpointBody): StateWords {
  if (endpoint.state === 'disabled') {
    return { label: DISABLED_WORDS[endpoint.disabled_reason ?? 'owner'], tone: 'neutral' };
  }
  return endpoint.failures_in_a_row > 0 ? { label: 'Failing', tone: 'warning' } : { label: 'Enabled', tone: 'good' };
}

export function typesWords(events: readonly string[]): string {
  return events.length === 0 ? 'All' : events.join(', ');
}
