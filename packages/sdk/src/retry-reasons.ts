import type { components } from './generated/api.ts';

type Retry = NonNullable<components['schemas']['CreateCall']['retry']>;

/** Ends of a call after which the service may call again. */
export const RETRY_REASONS = [
  'silence_timeout',
  'voicemail_reached',
  'call_screened',
  'busy',
  'no_answer',
  'carrier_unavailable',
  'queue_expired',
  'agent_error',
  'provider_unavailable',
  'no_audio',
  'worker_lost',
  'reconciled_unknown',
] as const satisfies readonly NonNullable<Retry['on']>[number][];
