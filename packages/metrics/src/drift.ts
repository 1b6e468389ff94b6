import type { FoundHold, OpenCall } from '@outdial/calls';
import { DRIFT_KINDS, type DriftKind } from './catalogue.ts';

type Hold = Pick<FoundHold, 'callId' | 'reservationId' | 'holdMicros'>;

export interface DriftWatch {
  /**
   * Compares one reading of each store, taken one after the other.
   * @returns how many differences of each kind were in the previous readings too.
   */
  compare(openCalls: readonly OpenCall[], holds: readonly Hold[]): ReadonlyMap<DriftKind, number>;
  /** The gate is closed: discards the earlier differences. */
  forget(): void;
}

/**
 * Two stores cannot be read at one moment: a call that was accepted or ended between the readings looks like a
 * difference, but not again in the next ones. Only a difference in two consecutive readings counts.
 */
export function createDriftWatch(): DriftWatch {
  let before: ReadonlySet<string> = new Set();
  return {
    compare(openCalls, holds) {
      const found = new Map<string, DriftKind>();
      for (const [kind, reservationId] of differences(openCalls, holds)) found.set(`${kind} ${reservationId}`, kind);
      const counts = new Map<DriftKind, number>(DRIFT_KINDS.map((kind) => [kind, 0]));
      for (const [difference, kind] of found) {
        if (before.has(difference)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      before = new Set(found.keys());
      return counts;
    },
    forget() {
      before = new Set();
    },
  };
}

function* differences(openCalls: readonly OpenCall[], holds: readonly Hold[]): Generator<readonly [DriftKind, string]> {
  const held = new Map(holds.map((hold) => [hold.reservationId, hold]));
  for (const { reservationId, holdMicros } of openCalls) {
    const hold = held.get(reservationId);
    held.delete(reservationId);
    if (!hold) yield ['call_not_held', reservationId];
    // A larger hold than in Postgres is right: it is raised in the gate first.
    else if (hold.holdMicros < holdMicros) yield ['hold_too_small', reservationId];
  }
  for (const reservationId of held.keys()) yield ['hold_without_call', reservationId];
}
