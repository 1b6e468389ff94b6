import type { DriveStore, ReleaseInput } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { createGroupCommit, type Announcing, type ObserveCommit } from '../group-commit.ts';
import { createSettingsCache } from '../stored-settings.ts';
import { claimCalls, type ClaimInput } from './claim.ts';
import { enlargeHolds, type EnlargeInput } from './enlarge-holds.ts';
import { writeFenced, type FencedWrite } from './fenced-write.ts';
import { reclaimCalls, type ReclaimInput } from './reclaim.ts';
import { callIdOf, settleCalls, type SettleInput } from './settle.ts';
import { takeOverCalls } from './take-over.ts';
import { announceEnded, endSuppressedAfter } from './end-suppressed.ts';
import { storeOptOuts, type OptOutInput } from './opt-outs.ts';

export interface DriveStoreOptions extends Announcing {
  /** A recording is uploaded after its call has ended, and is pending until then. */
  readonly uploadsRecordings?: boolean;
  /** Receives a call that has ended and is to be analyzed. Not awaited: the call's row is the outbox. */
  readonly onAnalysisWanted?: (callId: CallId) => void;
  /** Observes the statements that settle calls. */
  readonly observeCommit?: ObserveCommit | undefined;
}

const isShown = (kind: FencedWrite['kind']): boolean =>
  kind === 'advance' || kind === 'answered_by' || kind === 'event';

/** Group-committed writes of drivers: per kind, one statement for all writes that arrived during the previous one. */
export function createDriveStore(
  database: Database,
  { uploadsRecordings = false, onAnalysisWanted, onCommitted, observeCommit }: DriveStoreOptions = {},
): DriveStore {
  const agents = createSettingsCache();
  const claims = createGroupCommit({
    run: (inputs: readonly ClaimInput[]) => claimCalls(database, inputs, agents),
    keyOf: (input) => input.callId,
    isChange: ({ kind }) => kind === 'claimed',
    onCommitted,
  });
  const reclaims = createGroupCommit({
    run: (inputs: readonly ReclaimInput[]) => reclaimCalls(database, inputs),
    keyOf: (input) => input.callId,
    isChange: ({ kind }) => kind === 'claimed',
    onCommitted,
  });
  const writes = createGroupCommit({
    run: (inputs: readonly FencedWrite[]) => writeFenced(database, inputs),
    keyOf: (write) => write.callId,
    isChange: (outcome, { kind }) => outcome.kind === 'written' && isShown(kind),
    onCommitted,
  });
  const optOuts = createGroupCommit({
    run: (inputs: readonly OptOutInput[]) => storeOptOuts(database, inputs),
    keyOf: (input) => input.callId,
    isChange: () => true,
    onCommitted,
  });
  const holds = createGroupCommit({
    run: (inputs: readonly EnlargeInput[]) => enlargeHolds(database, inputs),
    keyOf: (input) => input.callId,
    isChange: ({ kind }) => kind === 'enlarged',
    onCommitted,
  });
  const settles = createGroupCommit({
    run: (inputs: readonly SettleInput[]) => settleCalls(database, inputs, { uploadsRecordings }),
    keyOf: callIdOf,
    isChange: (settled) => settled !== null,
    onCommitted,
    observe: observeCommit && ((callIds) => observeCommit('settle_calls', callIds)),
  });

  function endScheduled(optedOut: CallId): void {
    void announceEnded(endSuppressedAfter(database, optedOut), onCommitted);
  }

  return {
    claim: (input) => claims.submit(input),
    reclaim: (input) => reclaims.submit(input),
    saveDialog: (input) => writes.submit({ kind: 'dialog', ...input }),
    advance: (input) => writes.submit({ kind: 'advance', ...input }),
    saveAnsweredBy: (input) => writes.submit({ kind: 'answered_by', ...input }),
    saveEvent: (input) => writes.submit({ kind: 'event', ...input }),
    async optOut(input) {
      const outcome = await optOuts.submit(input);
      endScheduled(input.callId);
      return outcome;
    },
    renewLease: (input) => writes.submit({ kind: 'renewal', ...input }),
    handOver: (input) => writes.submit({ kind: 'hand_over', ...input }),
    enlargeHold: (input) => holds.submit(input),
    async settle(settlement) {
      const settled = await settles.submit({ claimed: true, settlement });
      if (!settled) return { kind: 'fenced' };
      if (settlement.wantsAnalysis) onAnalysisWanted?.(settlement.callId);
      if (settlement.optOut) endScheduled(settlement.callId);
      const { release, legs: legReleases } = settled;
      return { kind: 'settled', release, ...(legReleases.length > 0 && { legReleases }) };
    },
    async endQueued({ callIds, ...end }) {
      const settled = await Promise.all(callIds.map((callId) => settles.submit({ claimed: false, callId, ...end })));
      return settled.flatMap((one): readonly ReleaseInput[] => (one === null ? [] : [one.release]));
    },
    async takeOver(input) {
      const calls = await takeOverCalls(database, input);
      if (calls.length > 0) onCommitted?.(calls.map(({ id }) => id));
      return calls;
    },
  };
}
