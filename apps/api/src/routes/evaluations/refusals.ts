import { EVALUATION_LIMITS, type Micros } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { BeginEvaluationOutcome } from '@outdial/persistence';
import { ApiError } from '../../http/api-error.ts';
import { insufficientFunds } from '../../http/insufficient-funds.ts';

type Refused = Exclude<BeginEvaluationOutcome, { readonly kind: 'begun' | 'known' }>;

export function evaluationNotFound(): ApiError {
  return new ApiError({
    code: 'evaluation_not_found',
    publicMessage: 'Your account has no evaluation with this ID for this agent.',
    param: 'evaluation_id',
  });
}

export function scriptedEvaluation(): ApiError {
  return new ApiError({
    code: 'evaluation_not_possible',
    publicMessage:
      'A scripted agent cannot be evaluated: it speaks its lines and listens to sound alone. Place a call to a test number to hear it.',
    param: 'agent_id',
  });
}

/** The API error for an evaluation that was not accepted. */
export function refusalOfEvaluation(refused: Refused, holdMicros: Micros, currency: string): ApiError {
  switch (refused.kind) {
    case 'key_reused':
      return new ApiError({
        code: 'idempotency_key_reused',
        publicMessage:
          'This Idempotency-Key was already used with a different request. Send the same request, or use a new key.',
        param: 'Idempotency-Key',
      });
    case 'too_many': {
      const what = `${EVALUATION_LIMITS.open} evaluations that are not over`;
      return limited(refused, 'open_evaluations', EVALUATION_LIMITS.open, what, 'Wait for one of them, or cancel it.');
    }
    case 'no_runs': {
      const what = `${EVALUATION_LIMITS.runsPerDay} conversations of evaluations in a day`;
      const next = 'Wait for the Retry-After period, or evaluate fewer scenarios.';
      return limited(refused, 'evaluation_runs', EVALUATION_LIMITS.runsPerDay, what, next);
    }
    case 'insufficient_funds': {
      const { availableMicros } = refused;
      return insufficientFunds('A conversation of this evaluation', {
        requiredMicros: holdMicros,
        availableMicros,
        currency,
      });
    }
    default:
      return unreachable(refused);
  }
}

function limited(
  { inUse, retryAfterSeconds }: { readonly inUse: number; readonly retryAfterSeconds: number },
  thing: string,
  max: number,
  what: string,
  next: string,
): ApiError {
  return new ApiError({
    code: 'rate_limited',
    publicMessage: `The account has reached its limit of ${what}. ${next}`,
    details: { scope: 'account', thing, max, in_use: inUse },
    retryAfterSeconds,
  });
}
