import type { GateToken } from '@outdial/calls';
import { micros, type Micros, type TryEndReason, type UsageEntry } from '@outdial/contracts';
import { pause, unreachable } from '@outdial/kernel';
import type { TryJob } from '@outdial/persistence';
import { heldAs, type PlaceDeps } from './ports.ts';

export interface TryEnd {
  readonly reason: TryEndReason;
  readonly usage: readonly UsageEntry[];
  /** At most the hold. */
  readonly costMicros: Micros;
}

/** `not_now`: neither the gate nor Postgres let it be written in time; another worker ends it later. */
export type FinishOutcome =
  | { readonly kind: 'finished'; readonly costMicros: Micros }
  | { readonly kind: 'fenced' | 'not_now' };

type Attempt =
  | { readonly kind: 'over'; readonly outcome: FinishOutcome }
  | { readonly kind: 'again' }
  | { readonly kind: 'less'; readonly availableMicros: Micros };

/**
 * Writes the end of a try and charges it once. The gate's hold is looked at again first: a gate that was lost during the try may
 * have promised the money to a call. The charge is then at most what is available.
 */
export async function finishTry(deps: PlaceDeps, job: TryJob, end: TryEnd): Promise<FinishOutcome> {
  const untilMs = deps.clock.monotonicMs() + deps.timings.chargeMs;
  let { costMicros } = end;
  for (;;) {
    const attempt = await tryToFinish(deps, job, { ...end, costMicros }).catch((error: unknown): Attempt => {
      deps.logger.warn(
        { event: 'try.charge_delayed', err: error, tryId: job.tryId },
        'the end of a try is not written',
      );
      return { kind: 'again' };
    });
    switch (attempt.kind) {
      case 'over':
        return attempt.outcome;
      case 'less':
        costMicros = least(costMicros, attempt.availableMicros);
        break;
      case 'again':
        break;
      default:
        return unreachable(attempt);
    }
    if (deps.clock.monotonicMs() >= untilMs) return { kind: 'not_now' };
    if (attempt.kind === 'again') await pause(deps.clock, deps.timings.chargeAgainMs);
  }
}

async function tryToFinish(deps: PlaceDeps, job: TryJob, end: TryEnd): Promise<Attempt> {
  const { tryId, accountId, lease, reservationId } = job;
  const held = end.costMicros > 0n ? await holdAgain(deps, job, end.costMicros) : null;
  if (held !== null && 'kind' in held) return held;
  const outcome = await deps.store.finish({ tryId, lease, ...end, token: held });
  if (outcome.kind === 'gate_stale') {
    if (held !== null) await deps.gate.close(held);
    return { kind: 'again' };
  }
  // Best effort: the reconcile loop frees what this does not reach.
  const callId = heldAs(tryId);
  await deps.gate.release({ callId, accountId, reservationId, balance: outcome.balance }).catch(() => undefined);
  const over: FinishOutcome =
    outcome.kind === 'finished' ? { kind: 'finished', costMicros: end.costMicros } : { kind: 'fenced' };
  return { kind: 'over', outcome: over };
}

/** The token under which the gate holds at least the cost. A hold that stands is found as it is. */
async function holdAgain(deps: PlaceDeps, job: TryJob, costMicros: Micros): Promise<GateToken | Attempt> {
  const { tryId, accountId, reservationId } = job;
  const held = await deps.funds.holdFunds({ callId: heldAs(tryId), accountId, reservationId, holdMicros: costMicros });
  switch (held.kind) {
    case 'held':
      return held.token;
    case 'insufficient_funds':
      return { kind: 'less', availableMicros: held.availableMicros };
    case 'account_unknown': {
      const [found] = await deps.limits.limitsOf([accountId]);
      if (found) await deps.gate.loadAccount(held.token, found);
      return { kind: 'again' };
    }
    case 'duplicate':
    case 'closed':
      return { kind: 'again' };
    default:
      return unreachable(held);
  }
}

function least(costMicros: Micros, availableMicros: Micros): Micros {
  const available = availableMicros > 0n ? availableMicros : micros(0);
  return available < costMicros ? available : costMicros;
}
