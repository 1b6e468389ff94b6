import { micros, TRY_LIMITS } from '@outdial/contracts';
import { invariant, unreachable } from '@outdial/kernel';
import type { Database } from '../database.ts';
import type { BeginTryOutcome, NewTry } from './try-store.ts';

interface BegunRow {
  readonly outcome: BeginTryOutcome['kind'];
  readonly inUse: number;
  readonly retryAfterSeconds: number;
  readonly availableMicros: bigint;
}

export async function beginTry({ side }: Pick<Database, 'side'>, input: NewTry): Promise<BeginTryOutcome> {
  const [row] = await side.$queryRaw<BegunRow[]>`
    SELECT outcome, in_use AS "inUse", retry_after_seconds AS "retryAfterSeconds", available_micros AS "availableMicros"
    FROM begin_try(${JSON.stringify(toInput(input))}::jsonb)`;
  invariant(row, 'a try has an outcome');
  const { outcome, inUse, retryAfterSeconds, availableMicros } = row;
  switch (outcome) {
    case 'begun':
      return { kind: outcome };
    case 'too_many':
    case 'no_time':
      return { kind: outcome, inUse, retryAfterSeconds };
    case 'insufficient_funds':
      return { kind: outcome, availableMicros: micros(availableMicros) };
    default:
      return unreachable(outcome);
  }
}

function toInput(input: NewTry) {
  return {
    id: input.tryId,
    account_id: input.accountId,
    agent_id: input.agentId,
    agent_version: input.agentVersion,
    driver: input.driver,
    medium: input.medium,
    user_id: input.userId,
    variables: input.variables,
    needs: input.models,
    rates: input.rates.map((rate) => ({ ...rate, priceMicrosPerMillion: Number(rate.priceMicrosPerMillion) })),
    hold_micros: Number(input.holdMicros),
    reservation_id: input.reservationId,
    max_open: TRY_LIMITS.open,
    max_seconds: TRY_LIMITS.seconds,
    least_seconds: TRY_LIMITS.leastSeconds,
    account_seconds: TRY_LIMITS.accountSeconds,
    window_seconds: TRY_LIMITS.windowSeconds,
  };
}
