import { z } from 'zod';
import type { ApiErrorCode } from '../../../shared/api/api-error.ts';

/** What to offer beside the words. */
export type RefusalRemedy =
  | { readonly kind: 'none' }
  | { readonly kind: 'wallet' }
  | { readonly kind: 'numbers' }
  | { readonly kind: 'agents' }
  | { readonly kind: 'open_calls' }
  /** It may have been placed: asking again under the same key cannot place another. */
  | { readonly kind: 'ask_again'; readonly callId: string | null };

export interface Refusal {
  readonly title: string;
  readonly text: string;
  readonly remedy: RefusalRemedy;
}

interface RefusalFacts {
  readonly code: ApiErrorCode;
  readonly message: string;
  readonly details?: unknown;
}

const fundsSchema = z.object({ required: z.number(), available: z.number(), currency: z.string() });
const capacitySchema = z.object({ scope: z.string(), limit: z.number().optional() });
const unknownSchema = z.object({ call_id: z.string() });

type Money = (amount: number, currency: string) => string;

/** Why a call was not placed, in words that say what to do. `money` writes an amount as the page does. */
export function refusalOf({ code, message, details }: RefusalFacts, money: Money): Refusal {
  if (code === 'insufficient_funds') return insufficientFunds(details, message, money);
  if (code === 'capacity_exceeded') return capacityExceeded(details);
  if (code === 'outcome_unknown') return { ...UNKNOWN, remedy: { kind: 'ask_again', callId: callIdOf(details) } };
  return REFUSALS[code] ?? { title: 'The call was not placed', text: message, remedy: { kind: 'none' } };
}

const UNKNOWN: Refusal = {
  title: 'It is not known whether the call was placed',
  text: 'The answer was lost on its way. Ask again: it gives you the call if there is one, and places it if there is none. It cannot place a second one; filling the form in anew may.',
  remedy: { kind: 'ask_again', callId: null },
};

const TOO_MANY: Refusal = {
  title: 'Too many requests at once',
  text: 'Nothing was placed. Wait a moment, then try again.',
  remedy: { kind: 'none' },
};

/** Those that say the same each time. What is not here is told as the service says it. */
const REFUSALS: Partial<Record<ApiErrorCode, Refusal>> = {
  destination_not_allowed: {
    title: 'This number cannot be called',
    text: 'It has no rate, or is blocked for your account. Check the country code; if it is right, ask your operator to allow the destination.',
    remedy: { kind: 'none' },
  },
  from_number_not_allowed: {
    title: 'Your account may not call from this number',
    text: 'Choose another number to call from, or let this one place calls.',
    remedy: { kind: 'numbers' },
  },
  no_outbound_number: {
    title: 'There is no number to call from',
    text: 'Let one of your account’s numbers place calls, then place this call again.',
    remedy: { kind: 'numbers' },
  },
  agent_access_denied: {
    title: 'Your account may not use this agent',
    text: 'It was taken away while this page was open. Choose another one.',
    remedy: { kind: 'agents' },
  },
  rate_limited: TOO_MANY,
  too_many_attempts: TOO_MANY,
  no_trunk_available: {
    title: 'No phone line is available',
    text: 'No trunk takes calls at the moment. No call was placed and nothing was charged. Try again in a minute.',
    remedy: { kind: 'none' },
  },
  service_unavailable: {
    title: 'The service is interrupted',
    text: 'No call was placed and nothing was charged. Try again in a moment.',
    remedy: { kind: 'none' },
  },
  idempotency_in_progress: {
    title: 'This call is just being placed',
    text: 'The request before this one is still being handled. Ask again in a moment: it cannot place a second call.',
    remedy: { kind: 'ask_again', callId: null },
  },
  // Whether these arrived is not known either.
  unreachable: UNKNOWN,
  unexpected_answer: UNKNOWN,
  internal_error: UNKNOWN,
  request_timeout: UNKNOWN,
};

function insufficientFunds(details: unknown, message: string, money: Money): Refusal {
  const funds = fundsSchema.safeParse(details);
  const title = 'There is not enough money in the wallet';
  if (!funds.success) return { title, text: message, remedy: { kind: 'wallet' } };
  const { required, available, currency } = funds.data;
  return {
    title,
    text: `The call needs ${money(required, currency)} to begin, and ${money(available, currency)} are available. Wait for open calls to end, which hold some, or have the wallet topped up.`,
    remedy: { kind: 'wallet' },
  };
}

function capacityExceeded(details: unknown): Refusal {
  const capacity = capacitySchema.safeParse(details);
  if (!capacity.success || capacity.data.scope !== 'account') {
    return {
      title: 'The service can take no more calls just now',
      text: 'All its lines are in use. Nothing was placed. Try again in a moment.',
      remedy: { kind: 'none' },
    };
  }
  const { limit } = capacity.data;
  return {
    title: 'All lines of your account are in use',
    text: `${limit === undefined ? 'As many calls as you may have' : `${limit} calls, as many as you may have,`} are open. Try again when one has ended.`,
    remedy: { kind: 'open_calls' },
  };
}

function callIdOf(details: unknown): string | null {
  const parsed = unknownSchema.safeParse(details);
  return parsed.success ? parsed.data.call_id : null;
}
