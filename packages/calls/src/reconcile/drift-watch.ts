import { DRIFT_KINDS, type Difference, type DriftKind } from './compare-gate.ts';

export interface DriftWatch {
  /**
   * Notes what a comparison found; null: the gate was closed, which discards the earlier differences.
   * @returns how many differences of each kind the previous comparison found too
   */
  compared(differences: readonly Difference[] | null): ReadonlyMap<DriftKind, number>;
}

/**
 * Two stores cannot be read at one moment: a call that was accepted or ended between the readings looks like a
 * difference, but not again in the next ones. Only a difference in two consecutive comparisons counts.
 */
export function createDriftWatch(): DriftWatch {
  let before: ReadonlySet<string> = new Set();
  return {
    compared(differences) {
      const counts = new Map<DriftKind, number>(DRIFT_KINDS.map((kind) => [kind, 0]));
      const found = new Map((differences ?? []).map((one) => [`${one.kind} ${one.reservationId}`, one.kind]));
      for (const [difference, kind] of found) {
        if (before.has(difference)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      before = new Set(found.keys());
      return counts;
    },
  };
}
