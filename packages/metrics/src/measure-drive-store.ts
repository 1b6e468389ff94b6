import type { ClaimOutcome, DriveStore, Settlement } from '@outdial/calls';
import type { EndedReason } from '@outdial/contracts';
import type { DRIVEN_STATUSES, OPT_OUTS, RECORDING_OUTCOMES } from './catalogue.ts';
import type { Count, CountBy, Observe } from './instruments.ts';

export interface DriveMeters {
  readonly entered: CountBy<(typeof DRIVEN_STATUSES)[number]>;
  readonly ended: CountBy<EndedReason>;
  readonly recordings: CountBy<(typeof RECORDING_OUTCOMES)[number]>;
  readonly optOuts: CountBy<(typeof OPT_OUTS)[number]>;
  readonly queueWait: Observe;
  readonly settleRetries: Count;
  readonly renewalFailures: Count;
  /** Whether recordings leave this machine once their calls have ended. */
  readonly uploadsRecordings: boolean;
}

/** Counts the outcomes of a store, and returns them unchanged. */
export function measureDriveStore(store: DriveStore, meters: DriveMeters): DriveStore {
  return {
    ...store,
    async claim(input) {
      const outcome = await store.claim(input);
      if (outcome.kind === 'claimed') countClaim(outcome.call, meters);
      return outcome;
    },
    async advance(input) {
      const outcome = await store.advance(input);
      if (outcome.kind === 'written') meters.entered(input.to);
      return outcome;
    },
    async optOut(input) {
      const outcome = await store.optOut(input);
      // Also that of a worker that has lost the call: it is stored.
      meters.optOuts(input.evidence);
      return outcome;
    },
    async renewLease(input) {
      try {
        return await store.renewLease(input);
      } catch (error) {
        meters.renewalFailures();
        throw error;
      }
    },
    async settle(settlement) {
      try {
        const outcome = await store.settle(settlement);
        if (outcome.kind === 'settled') countSettlement(settlement, meters);
        return outcome;
      } catch (error) {
        meters.settleRetries();
        throw error;
      }
    },
    async endQueued(input) {
      const releases = await store.endQueued(input);
      meters.ended(input.reason, releases.length);
      return releases;
    },
  };
}

type ClaimedCall = Extract<ClaimOutcome, { readonly kind: 'claimed' }>['call'];

/** Both times are Postgres's, so they are comparable whatever the clocks of the processes say. */
function countClaim({ queuedAtMs, startedAtMs, traceParent }: ClaimedCall, { entered, queueWait }: DriveMeters): void {
  entered('dialing');
  queueWait((startedAtMs - queuedAtMs) / 1_000, traceParent);
}

function countSettlement({ reason, answeredAtMs, recordingKey }: Settlement, meters: DriveMeters): void {
  meters.ended(reason);
  // An unanswered call has no recording.
  if (answeredAtMs === null) return;
  if (recordingKey === null) meters.recordings('none');
  else meters.recordings(meters.uploadsRecordings ? 'pending' : 'available');
}
