import type { Micros } from '@outdial/contracts';
import type { LegSettlement, OrphanedLeg } from '../ports/drive-store.ts';
import type { LegId, LegResult } from '../leg.ts';
import { chargeFor } from '../pricing.ts';
import type { Rate } from '../rate-deck.ts';
import type { CallTimes } from './call-times.ts';

/** A second leg, as its driver has seen it. Moments are of the monotonic clock. */
export interface SecondLegReport {
  readonly legId: LegId;
  readonly rate: Rate;
  /** The amount that both stores hold for it. */
  readonly holdMicros: Micros;
  readonly answeredAtMs: number | null;
  /** Our hang-up, or its end if that came first. */
  readonly overAtMs: number;
  readonly result: LegResult;
  readonly sipCode: number | null;
}

/** It ends with its call at the latest, also where the time of the call's end is corrected. */
export function legSettlementOf(
  { legId, rate, holdMicros, answeredAtMs, overAtMs, result, sipCode }: SecondLegReport,
  { times, callOverAtMs }: { readonly times: CallTimes; readonly callOverAtMs: number },
): LegSettlement {
  const endedAtMs = Math.max(answeredAtMs ?? 0, Math.min(overAtMs, callOverAtMs));
  return {
    legId,
    answeredAtMs: answeredAtMs === null ? null : times.wallMsOf(answeredAtMs),
    endedAtMs: times.wallMsOf(endedAtMs),
    result,
    sipCode,
    charge: chargeFor(rate, answeredAtMs === null ? null : endedAtMs - answeredAtMs, holdMicros),
  };
}

/** It is charged as its call is: until the last moment at which its worker was known to be alive. */
export function orphanedLegSettlement(leg: OrphanedLeg, callEndedAtMs: number): LegSettlement {
  const { legId, rate, holdMicros, answeredAtMs, writeAheadDial, dialog } = leg;
  const endedAtMs = leg.endedAtMs ?? Math.max(answeredAtMs ?? 0, callEndedAtMs);
  return {
    legId,
    answeredAtMs,
    endedAtMs,
    result: writeAheadDial && dialog === null ? 'not_dialed' : 'lost',
    sipCode: null,
    charge: chargeFor(rate, answeredAtMs === null ? null : endedAtMs - answeredAtMs, holdMicros),
  };
}
