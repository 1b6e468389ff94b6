import { pause, type Clock, type Logger } from '@outdial/kernel';
import { RowRejected } from '../ports/accept-store.ts';
import type { DriveStore, Settlement } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import { releaseEach } from './release-settled.ts';

export interface SettleDeps {
  readonly store: Pick<DriveStore, 'settle'>;
  readonly gate: Pick<Gate, 'release'>;
  readonly clock: Clock;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/**
 * Ends and charges a call, and frees its hold and slot. Retries until Postgres is back or `abandoned` aborts; the epoch
 * ensures that a call is settled once, even if several processes try.
 */
export async function settleCall(
  deps: SettleDeps,
  settlement: Settlement,
  logger: Logger,
  abandoned?: AbortSignal,
): Promise<'settled' | 'fenced' | 'abandoned'> {
  let delayMs = FIRST_RETRY_MS;
  let trying = settlement;
  for (;;) {
    try {
      const outcome = await deps.store.settle(trying);
      if (outcome.kind === 'fenced') return 'fenced';
      logSettled(logger, trying);
      await releaseEach({ gate: deps.gate, logger }, [outcome.release, ...(outcome.legReleases ?? [])]);
      return 'settled';
    } catch (error) {
      logger.warn({ event: 'call.settle_failed', err: error }, 'call not settled yet');
      if (error instanceof RowRejected) trying = withoutContent(trying);
    }
    if (abandoned?.aborted) return 'abandoned';
    await pause(deps.clock, delayMs, abandoned);
    delayMs = Math.min(delayMs * 2, MAX_RETRY_MS);
  }
}

/** Content from an agent or a carrier that Postgres rejects must not keep the call from ending. */
function withoutContent(settlement: Settlement): Settlement {
  const { usage: _usage, optOut, ...rest } = settlement;
  return {
    ...rest,
    ...(optOut && { optOut: { ...optOut, note: null } }),
    transcript: null,
    summary: null,
    failure: null,
    sip: null,
    wantsAnalysis: false,
  };
}

function logSettled(logger: Logger, { reason, charge, sipCode, sip, legs = [] }: Settlement): void {
  const { billableSeconds } = charge;
  const costMicros = legs.reduce((sum, leg) => sum + leg.charge.costMicros, BigInt(charge.costMicros));
  const details = sip ? { sip } : {};
  logger.info(
    { event: 'call.ended', reason, sipCode, ...details, billableSeconds, costMicros: String(costMicros) },
    'call ended',
  );
}
