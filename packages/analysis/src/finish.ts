import { randomUUID } from 'node:crypto';
import type {
  AnalysisEnd,
  AnalysisJob,
  AnalysisPayment,
  FinishAnalysisOutcome,
  HoldFundsOutcome,
} from '@outdial/calls';
import { micros, reservationIdSchema, type Micros, type ReservationId } from '@outdial/contracts';
import { pause, unreachable } from '@outdial/kernel';
import { ANALYSIS_TIMINGS, type AnalysisDeps } from './ports.ts';

type Deps = Pick<AnalysisDeps, 'store' | 'gate' | 'funds' | 'limits' | 'clock' | 'logger' | 'timings'>;

/** `not_now`: neither the gate nor Postgres let it be written in time. */
export type FinishOutcome = 'finished' | 'fenced' | 'not_now';

/** One attempt at the charge. */
type Attempt =
  | { readonly kind: 'over'; readonly outcome: 'finished' | 'fenced' }
  /** With another reservation: this one is void, or was made under a gate that is gone. */
  | { readonly kind: 'anew' }
  | { readonly kind: 'again' }
  | { readonly kind: 'less'; readonly availableMicros: Micros };

const newReservationId = (): ReservationId => reservationIdSchema.parse(randomUUID());

/**
 * Writes the end of an analysis and charges it. The gate sets the money aside first: Postgres would take money that the
 * gate has promised to a call, and that call could not be settled. The charge is at most what is available.
 */
export async function finishAnalysis(deps: Deps, job: AnalysisJob, end: AnalysisEnd): Promise<FinishOutcome> {
  const { chargeMs, chargeAgainMs } = deps.timings ?? ANALYSIS_TIMINGS;
  const untilMs = deps.clock.monotonicMs() + chargeMs;
  let reservationId = newReservationId();
  let charged = end;
  for (;;) {
    const attempt = await tryToFinish(deps, job, charged, reservationId).catch((error: unknown): Attempt => {
      // The statement may have been carried out. With the same reservation a repetition finds out, and pays once.
      deps.logger.warn(
        { event: 'analysis.charge_delayed', err: error, callId: job.callId },
        'analysis not written yet',
      );
      return { kind: 'again' };
    });
    switch (attempt.kind) {
      case 'over':
        return attempt.outcome;
      case 'less':
        charged = costing(end, attempt.availableMicros);
        break;
      case 'anew':
        reservationId = newReservationId();
        break;
      case 'again':
        break;
      default:
        return unreachable(attempt);
    }
    if (deps.clock.monotonicMs() >= untilMs) return 'not_now';
    if (attempt.kind !== 'less') await pause(deps.clock, chargeAgainMs);
  }
}

async function tryToFinish(
  deps: Deps,
  job: AnalysisJob,
  end: AnalysisEnd,
  reservationId: ReservationId,
): Promise<Attempt> {
  const { callId, accountId, lease } = job;
  const holdMicros = end.analysis?.costMicros ?? micros(0);
  if (holdMicros === 0n) return judged(await deps.store.finish({ callId, lease, end, payment: null }));
  const held = await deps.funds.holdFunds({ callId, accountId, reservationId, holdMicros });
  if (held.kind !== 'held') return unheld(deps, job, held);
  const payment: AnalysisPayment = { reservationId, token: held.token };
  const outcome = await deps.store.finish({ callId, lease, end, payment });
  if (outcome.kind === 'gate_stale') await deps.gate.close(held.token);
  const balance = 'balance' in outcome ? { balance: outcome.balance } : {};
  // Best effort: the reconcile loop frees what this does not reach.
  await deps.gate.release({ callId, accountId, reservationId, ...balance }).catch(() => undefined);
  return judged(outcome);
}

function judged(outcome: FinishAnalysisOutcome): Attempt {
  switch (outcome.kind) {
    case 'finished':
    case 'fenced':
      return { kind: 'over', outcome: outcome.kind };
    case 'gate_stale':
    case 'voided':
      return { kind: 'anew' };
    default:
      return unreachable(outcome);
  }
}

async function unheld(
  { gate, limits }: Deps,
  { accountId }: AnalysisJob,
  outcome: Exclude<HoldFundsOutcome, { readonly kind: 'held' }>,
): Promise<Attempt> {
  switch (outcome.kind) {
    case 'insufficient_funds':
      return { kind: 'less', availableMicros: outcome.availableMicros };
    case 'account_unknown': {
      const [found] = await limits.limitsOf([accountId]);
      if (found) await gate.loadAccount(outcome.token, found);
      return { kind: 'again' };
    }
    // The call's own hold is released within seconds; the gate is rebuilt within seconds.
    case 'duplicate':
    case 'closed':
      return { kind: 'again' };
    default:
      return unreachable(outcome);
  }
}

/** The same end, at the price that the account can pay. */
function costing(end: AnalysisEnd, availableMicros: Micros): AnalysisEnd {
  if (end.analysis === null) return end;
  const costMicros = availableMicros > 0n ? availableMicros : micros(0);
  return { ...end, analysis: { ...end.analysis, costMicros } };
}
