import { TRY_LIMITS, type Micros, type TryMedium } from '@outdial/contracts';
import type { BeginTryOutcome } from '@outdial/persistence';
import { unreachable } from '@outdial/kernel';
import { ApiError } from '../../http/api-error.ts';
import { insufficientFunds } from '../../http/insufficient-funds.ts';

type Refused = Exclude<BeginTryOutcome, { readonly kind: 'begun' }>;

export function tryNotFound(): ApiError {
  return new ApiError({
    code: 'try_not_found',
    publicMessage: 'Your account has no try with this ID for this agent.',
    param: 'try_id',
  });
}

export function tryOver(): ApiError {
  return new ApiError({ code: 'try_over', publicMessage: 'This try has ended. Begin another one.', param: 'try_id' });
}

export function mediumDiffers(medium: TryMedium): ApiError {
  return new ApiError({
    code: 'try_medium_differs',
    publicMessage:
      medium === 'microphone'
        ? 'This try is by microphone, and takes no text. Speak, or begin a try as text.'
        : 'This try is in text, and takes no sound. Send messages, or begin a try by microphone.',
    param: 'try_id',
  });
}

/** A program has no microphone, and its key opens no page. */
export function microphoneOfProgram(): ApiError {
  return new ApiError({
    code: 'try_not_possible',
    publicMessage: 'Only a member who is signed in to the dashboard tries an agent by microphone. Use `text`.',
    param: 'medium',
  });
}

export function scriptedAgent(): ApiError {
  return new ApiError({
    code: 'try_not_possible',
    publicMessage:
      'A scripted agent cannot be tried: it speaks its lines and follows a telephone call. Place a call to hear it.',
    param: 'agent_id',
  });
}

/** The API error for a try that was not begun. */
export function refusalOfTry(refused: Refused, holdMicros: Micros, currency: string): ApiError {
  switch (refused.kind) {
    case 'too_many':
      return limited('open_tries', TRY_LIMITS.open, refused, 'End one of them first.');
    case 'no_time':
      return limited('try_seconds', TRY_LIMITS.accountSeconds, refused, 'Wait for the Retry-After period.');
    case 'insufficient_funds': {
      const { availableMicros } = refused;
      return insufficientFunds('A try of this agent', { requiredMicros: holdMicros, availableMicros, currency });
    }
    default:
      return unreachable(refused);
  }
}

function limited(
  thing: 'open_tries' | 'try_seconds',
  max: number,
  { inUse, retryAfterSeconds }: { readonly inUse: number; readonly retryAfterSeconds: number },
  next: string,
): ApiError {
  const what = thing === 'open_tries' ? `${max} open tries` : `${max / 60} minutes of tries in an hour`;
  return new ApiError({
    code: 'rate_limited',
    publicMessage: `The account has reached its limit of ${what}. ${next}`,
    details: { scope: 'account', thing, max, in_use: inUse },
    retryAfterSeconds,
  });
}
