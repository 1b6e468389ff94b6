import { ENDED_REASONS, micros, transcriptOf, type EndedReason, type Micros } from '@outdial/contracts';
import type { SipDetails } from '../call.ts';
import { ANSWERED_SIP_CODE, type LegEnd } from '../ports/carrier.ts';
import type { ClaimedCall, FencingToken, OrphanedCall, Settlement } from '../ports/drive-store.ts';
import { legSettlementOf, orphanedLegSettlement } from './leg-settlement.ts';
import { chargeFor, type Charge } from '../pricing.ts';
import { usageMicros as microsOf } from '../usage-cost.ts';
import type { CallTimes } from './call-times.ts';
import { endedReasonOf } from './end-reason.ts';
import type { LegReport } from './leg-report.ts';
import { wantsAnalysis } from './wants-analysis.ts';

const NO_CHARGE: Charge = { billableSeconds: 0, costMicros: micros(0) };

export interface DrivenCall {
  readonly call: ClaimedCall;
  readonly fencingToken: FencingToken;
  readonly times: CallTimes;
  readonly report: LegReport;
  /** When the last successful lease renewal was sent, by the monotonic clock. */
  readonly leaseRenewedAtMs: number;
}

/** The settlement of a call whose leg this process has seen end. */
export function settlementOf({ call, fencingToken, times, report, leaseRenewedAtMs }: DrivenCall): Settlement {
  const { end, dialled, hangUp, answeredAtMs, answeredBy, conversation } = report;
  const reason = endedReasonOf({ end, dialled, cause: hangUp?.cause ?? null, answeredBy });
  let overAtMs = hangUp ? Math.min(hangUp.atMs, report.endedAtMs) : report.endedAtMs;
  if (answeredAtMs !== null) {
    // It is certain only that a lost worker still had its call at its last renewal.
    if (reason === 'worker_lost') overAtMs = Math.min(overAtMs, leaseRenewedAtMs);
    const limitAtMs = answeredAtMs + call.limits.maxDurationSeconds * 1_000;
    overAtMs = Math.max(answeredAtMs, Math.min(overAtMs, limitAtMs));
  }
  const talkMs = answeredAtMs === null ? null : overAtMs - answeredAtMs;
  const legs = report.legs.map((leg) => legSettlementOf(leg, { times, callOverAtMs: overAtMs }));
  return {
    ...fencingToken,
    ...(legs.length > 0 && { legs }),
    reason,
    neverDialled: !dialled,
    answeredAtMs: answeredAtMs === null ? null : times.wallMsOf(answeredAtMs),
    endedAtMs: times.wallMsOf(overAtMs),
    charge: chargeOf(reason, {
      rate: call.rate,
      talkMs,
      holdMicros: report.holdMicros,
      usageMicros: report.usage?.costMicros ?? micros(0),
    }),
    ...(report.optOut && { optOut: report.optOut }),
    ...(report.usage && { usage: report.usage }),
    ...(report.turnMetrics.length > 0 && { turnMetrics: report.turnMetrics }),
    sipCode: answeredAtMs === null ? refusalCodeOf(end) : (end.sipCode ?? ANSWERED_SIP_CODE),
    sip: sipDetailsOf(end),
    answeredBy: answeredAtMs === null ? null : answeredBy,
    transcript: conversation?.transcript ?? null,
    summary: conversation?.summary ?? null,
    recordingKey: conversation?.recordingKey ?? null,
    failure: reason === 'agent_error' ? (hangUp?.failure ?? null) : null,
    ...(hangUp?.givesBack && !dialled && { givesBack: true }),
    wantsAnalysis: wantsAnalysis(call.settings, conversation?.transcript ?? null),
  };
}

/** A 2xx that came after we gave up is no answer. */
function refusalCodeOf({ sipCode }: LegEnd): number | null {
  return sipCode !== null && sipCode >= 300 ? sipCode : null;
}

function sipDetailsOf({ sipCode, q850Cause, refusal }: LegEnd): SipDetails | null {
  return sipCode === null || refusal === undefined ? null : { code: sipCode, q850Cause, ...refusal };
}

/** The settlement of a call that must not be dialed because it may have been dialed already. */
export function unknownSettlement(fencingToken: FencingToken, endedAtMs: number): Settlement {
  return {
    ...fencingToken,
    reason: 'reconciled_unknown',
    neverDialled: true,
    answeredAtMs: null,
    endedAtMs,
    charge: NO_CHARGE,
    sipCode: null,
    answeredBy: null,
    transcript: null,
    summary: null,
    recordingKey: null,
  };
}

/**
 * The settlement of a call whose worker is gone: billed from the answer to the last renewal of its lease, with the usage
 * and the turns that this renewal stored. What was said later went with the worker, so the call is not analyzed.
 */
export function orphanSettlement(orphan: OrphanedCall, recordingKey: string | null): Settlement {
  const { answeredAtMs, leaseRenewedAtMs } = orphan;
  const limitAtMs = (answeredAtMs ?? 0) + orphan.limits.maxDurationSeconds * 1_000;
  const endedAtMs =
    answeredAtMs === null ? leaseRenewedAtMs : Math.max(answeredAtMs, Math.min(leaseRenewedAtMs, limitAtMs));
  const talkMs = answeredAtMs === null ? null : endedAtMs - answeredAtMs;
  const legs = orphan.legs.map((leg) => orphanedLegSettlement(leg, endedAtMs));
  return {
    ...(legs.length > 0 && { legs }),
    callId: orphan.id,
    epoch: orphan.epoch,
    reason: 'worker_lost',
    neverDialled: orphan.writeAheadDial && orphan.dialog === null,
    answeredAtMs,
    endedAtMs,
    charge: chargeOf('worker_lost', {
      rate: orphan.rate,
      talkMs,
      holdMicros: orphan.holdMicros,
      usageMicros: orphan.conducted ? microsOf(orphan.conducted, orphan.usage) : micros(0),
    }),
    sipCode: null,
    answeredBy: orphan.answeredBy,
    transcript: orphan.turns.length === 0 ? null : transcriptOf(orphan.turns),
    summary: null,
    recordingKey,
  };
}

interface ChargeInput {
  readonly rate: ClaimedCall['rate'];
  readonly talkMs: number | null;
  readonly holdMicros: Micros;
  readonly usageMicros: Micros;
}

function chargeOf(reason: EndedReason, { rate, talkMs, holdMicros, usageMicros }: ChargeInput): Charge {
  return ENDED_REASONS[reason].billable ? chargeFor(rate, talkMs, holdMicros, usageMicros) : NO_CHARGE;
}
