import type { CallId, TrunkName } from '@outdial/contracts';
import { unreachable, type Clock } from '@outdial/kernel';
import type { Carrier } from '../ports/carrier.ts';
import type { ClaimOutcome, DriveStore } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import { acquireLines, type LineDeps, type LinesOutcome } from '../lines/acquire-lines.ts';
import type { CallsWithLines } from '../lines/calls-with-lines.ts';
import { acquireChannel, CLOSED_GATE_MS } from '../trunks/acquire-channel.ts';
import type { TrunkDeps } from '../trunks/dial-attempts.ts';
import { instantOf, LEASE_TIMES, type Instant, type LeaseTimes } from '../lease.ts';

export interface ClaimDeps {
  readonly store: Pick<DriveStore, 'claim'>;
  readonly gate: Pick<Gate, 'close'>;
  readonly carrier: Pick<Carrier, 'writeAheadDial'>;
  readonly workerId: string;
  readonly clock: Clock;
  readonly leaseTimes?: LeaseTimes;
  readonly trunks?: TrunkDeps;
  /** Without it this worker drives scripted calls alone. */
  readonly lines?: LineDeps;
  readonly callsWithLines: CallsWithLines;
}

type Claimed = Extract<ClaimOutcome, { readonly kind: 'claimed' }> & {
  /** From before the claim was sent. */
  readonly sentAt: Instant;
  readonly acquiredTrunk: TrunkName | null;
};
type Later = { readonly kind: 'later'; readonly afterMs: number };

/** A worker that knows the driver may be free at any moment. */
const DRIVER_UNKNOWN_MS = 2_000;

/**
 * Claims a call once it has a channel, and the lines that it needs. Only the claim knows whether it needs any: a scripted
 * call costs no question.
 */
export async function claimCall(
  deps: ClaimDeps,
  callId: CallId,
): Promise<Claimed | Later | Exclude<ClaimOutcome, { readonly kind: 'claimed' | ClaimAgain }>> {
  const { store, clock, workerId, carrier, leaseTimes = LEASE_TIMES, callsWithLines, lines } = deps;
  for (;;) {
    const place = await placeOf(deps, callId);
    if (place.kind === 'later') return place;
    const sentAt = instantOf(clock);
    const claim = await store.claim({
      callId,
      workerId,
      leaseMs: leaseTimes.leaseMs,
      writeAheadDial: carrier.writeAheadDial,
      ...(lines && { drivers: lines.drivers }),
      ...(place.lines && { lines: place.lines }),
    });
    switch (claim.kind) {
      case 'driver_unknown':
        return { kind: 'later', afterMs: DRIVER_UNKNOWN_MS };
      case 'lines_needed':
        // The gate did not hold it, and is about to be rebuilt.
        if (callsWithLines.has(callId)) return { kind: 'later', afterMs: CLOSED_GATE_MS };
        callsWithLines.add(callId);
        continue;
      case 'gate_stale':
        if (place.lines) await deps.gate.close(place.lines.token);
        return { kind: 'later', afterMs: CLOSED_GATE_MS };
      case 'claimed':
        callsWithLines.forget(callId);
        return { ...claim, sentAt, acquiredTrunk: place.trunk };
      case 'paused':
        return claim;
      case 'refused':
      case 'ended':
      case 'leased':
      case 'lease_over':
      case 'unknown':
        callsWithLines.forget(callId);
        return claim;
      default:
        return unreachable(claim);
    }
  }
}

type ClaimAgain = 'driver_unknown' | 'lines_needed' | 'gate_stale';

async function placeOf({ trunks, lines, callsWithLines }: ClaimDeps, callId: CallId): Promise<LinesOutcome> {
  if (lines && callsWithLines.has(callId)) return acquireLines(lines, trunks, callId);
  const channel = trunks ? await acquireChannel(trunks, callId) : null;
  if (channel?.kind === 'later') return channel;
  return { kind: 'acquired', trunk: channel?.trunk ?? null, lines: null };
}
