import { z } from 'zod';
import { ApiError, type ApiErrorCode } from '../../../shared/api/api-error.ts';
import { fieldErrorsOf, type FieldErrors } from '../../../shared/forms/field-errors.ts';

/** The action to offer with the message. */
export type Remedy =
  | { readonly kind: 'none' }
  | { readonly kind: 'wallet' }
  | { readonly kind: 'numbers' }
  | { readonly kind: 'agents' }
  | { readonly kind: 'do_not_call' }
  | { readonly kind: 'calling_hours' }
  | { readonly kind: 'open_calls' }
  | { readonly kind: 'scheduled_calls' }
  /** The call may have been placed: retrying with the same key cannot place a second one. */
  | { readonly kind: 'retry_safely'; readonly callId: string | null };

export interface PlacementError {
  readonly title: string;
  readonly text: string;
  readonly remedy: Remedy;
}

interface ErrorFacts {
  readonly code: ApiErrorCode;
  readonly message: string;
  readonly details?: unknown;
}

const fundsSchema = z.object({ required: z.number(), available: z.number(), currency: z.string() });
const capacitySchema = z.object({ scope: z.string(), limit: z.number().optional() });
const windowSchema = z.object({ opens_at: z.string().nullable(), zones: z.array(z.string()) });
const capSchema = z.object({ until: z.string().nullable() });
const unknownSchema = z.object({ call_id: z.string() });

export interface Formats {
  readonly money: (amount: number, currency: string) => string;
  readonly time: (iso: string) => string;
}

/** Explains why a call was not placed, and what to do. */
export function placementErrorOf({ code, message, details }: ErrorFacts, { money, time }: Formats): PlacementError {
  if (code === 'insufficient_funds') return insufficientFunds(details, message, money);
  if (code === 'capacity_exceeded') return capacityExceeded(details);
  if (code === 'outside_calling_window') return outsideCallingWindow(details, time);
  if (code === 'frequency_capped') return frequencyCapped(details, time);
  if (code === 'outcome_unknown') return { ...UNKNOWN, remedy: { kind: 'retry_safely', callId: callIdOf(details) } };
  return ERRORS[code] ?? { title: 'Call not placed', text: message, remedy: { kind: 'none' } };
}

/** The service's own words about these are for programs. */
const AT_NUMBER: Partial<Record<ApiErrorCode, string>> = {
  suppressed: 'On a do-not-call list',
  outside_calling_window: 'Outside calling hours',
  frequency_capped: 'Called too often',
};

/** The errors at the form's fields. */
export function placementFieldErrors(error: unknown): FieldErrors {
  const atNumber = error instanceof ApiError ? AT_NUMBER[error.code] : undefined;
  if (atNumber !== undefined) return { to_number: atNumber };
  return fieldErrorsOf(error);
}

const UNKNOWN: PlacementError = {
  title: 'We could not confirm that the call was placed',
  text: 'The response was lost. Retry safely to open the call if it exists, or to place it if not. A retry never places a second call, but starting over may.',
  remedy: { kind: 'retry_safely', callId: null },
};

const TOO_MANY: PlacementError = {
  title: 'Too many requests',
  text: 'No call was placed. Wait a moment and try again.',
  remedy: { kind: 'none' },
};

/** Errors with a fixed text. Any other error shows the service's message. */
const ERRORS: Partial<Record<ApiErrorCode, PlacementError>> = {
  destination_not_allowed: {
    title: 'You cannot call this number',
    text: 'The number has no rate or is blocked for your account. Check the country code, or ask your operator to allow the destination.',
    remedy: { kind: 'none' },
  },
  suppressed: {
    title: 'The number is on a do-not-call list',
    text: 'No call was placed and nothing was charged. Choose another number, or check whose list it is on.',
    remedy: { kind: 'do_not_call' },
  },
  from_number_not_allowed: {
    title: 'You cannot call from this number',
    text: 'Choose another number, or turn on outbound calls for this one.',
    remedy: { kind: 'numbers' },
  },
  no_outbound_number: {
    title: 'No number to call from',
    text: 'Turn on outbound calls for one of your numbers, then try again.',
    remedy: { kind: 'numbers' },
  },
  agent_access_denied: {
    title: 'You cannot use this agent',
    text: 'Your account lost access while this page was open. Choose another agent.',
    remedy: { kind: 'agents' },
  },
  provider_not_configured: {
    title: 'The agent has no credential for its model',
    text: 'Add a credential for the provider, or choose another agent.',
    remedy: { kind: 'agents' },
  },
  model_not_priced: {
    title: 'The agent uses a model without a price',
    text: 'Choose another agent, or ask your operator for a rate of its model.',
    remedy: { kind: 'agents' },
  },
  rate_limited: TOO_MANY,
  too_many_attempts: TOO_MANY,
  too_many_scheduled: {
    title: 'Too many scheduled calls',
    text: 'Your account has as many scheduled calls as it may have, and no call was placed. Try again when some were dialed, or cancel some.',
    remedy: { kind: 'scheduled_calls' },
  },
  no_trunk_available: {
    title: 'No trunk is available',
    text: 'No call was placed and nothing was charged. Try again in a minute.',
    remedy: { kind: 'none' },
  },
  service_unavailable: {
    title: 'The service is temporarily unavailable',
    text: 'No call was placed and nothing was charged. Try again in a moment.',
    remedy: { kind: 'none' },
  },
  idempotency_in_progress: {
    title: 'This call is already being placed',
    text: 'Your previous request is still being processed. Retry safely in a moment: a retry never places a second call.',
    remedy: { kind: 'retry_safely', callId: null },
  },
  // The outcome of these is unknown too.
  unreachable: UNKNOWN,
  unexpected_answer: UNKNOWN,
  internal_error: UNKNOWN,
  request_timeout: UNKNOWN,
};

function insufficientFunds(details: unknown, message: string, money: Formats['money']): PlacementError {
  const funds = fundsSchema.safeParse(details);
  const title = 'Insufficient balance';
  if (!funds.success) return { title, text: message, remedy: { kind: 'wallet' } };
  const { required, available, currency } = funds.data;
  return {
    title,
    text: `The call needs ${money(required, currency)} to start, but only ${money(available, currency)} is available. Ask your operator for a top-up, or wait until open calls release their reserved funds.`,
    remedy: { kind: 'wallet' },
  };
}

function outsideCallingWindow(details: unknown, time: Formats['time']): PlacementError {
  const title = 'Outside calling hours';
  const remedy = { kind: 'calling_hours' } as const;
  const { opens_at: opensAt = null, zones = null } = windowSchema.safeParse(details).data ?? {};
  if (zones?.length === 0) {
    return {
      title,
      text: 'No call was placed. The number does not say where the callee is, and the calling policy has hours: give the callee’s time zone under “Limits and time zone”.',
      remedy,
    };
  }
  const text =
    opensAt === null
      ? 'No call was placed. The calling policy keeps this callee’s hours closed for the next 90 days.'
      : `No call was placed. The calling policy keeps this callee’s hours closed until ${time(opensAt)}. Place the call then, or let it wait until the hours open.`;
  return { title, text, remedy };
}

function frequencyCapped(details: unknown, time: Formats['time']): PlacementError {
  const until = capSchema.safeParse(details).data?.until ?? null;
  const again = until === null ? 'Schedule it for later.' : `Schedule it for after ${time(until)}.`;
  return {
    title: 'Called too often',
    text: `No call was placed. The number was called as often as the calling policy allows. ${again}`,
    remedy: { kind: 'calling_hours' },
  };
}

function capacityExceeded(details: unknown): PlacementError {
  const capacity = capacitySchema.safeParse(details);
  if (!capacity.success || capacity.data.scope !== 'account') {
    return {
      title: 'The service is at capacity',
      text: 'No call was placed. Try again in a moment.',
      remedy: { kind: 'none' },
    };
  }
  const { limit } = capacity.data;
  return {
    title: 'Call limit reached',
    text: `Your account is at its limit${limit === undefined ? '' : ` of ${limit} open ${limit === 1 ? 'call' : 'calls'}`}. Try again when a call ends, or let the call wait for a free slot.`,
    remedy: { kind: 'open_calls' },
  };
}

function callIdOf(details: unknown): string | null {
  const parsed = unknownSchema.safeParse(details);
  return parsed.success ? parsed.data.call_id : null;
}
