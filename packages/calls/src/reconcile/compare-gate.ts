import type { ReservationId } from '@outdial/contracts';
import type { FoundHold, Gate, GateHold } from '../ports/gate.ts';
import type { HoldPage, HoldPosition, HoldReader } from '../ports/hold-reader.ts';
import type { ReconcileStore } from '../ports/reconcile-store.ts';

/** How the gate can differ from Postgres. */
export const DRIFT_KINDS = ['call_not_held', 'hold_without_call', 'hold_too_small'] as const;
export type DriftKind = (typeof DRIFT_KINDS)[number];

export interface Difference {
  readonly kind: DriftKind;
  readonly reservationId: ReservationId;
}

export interface CompareGateDeps {
  readonly gate: Pick<Gate, 'state' | 'holds' | 'holdsOf'>;
  readonly holdReader: HoldReader;
  readonly reconcileStore: Pick<ReconcileStore, 'holdStatuses'>;
}

const PAGE = 1_000;

/**
 * Compares every hold of the gate with Postgres, a page at a time: memory and the statements stay small however many calls
 * are open. Two stores cannot be read at one moment, so a difference may be a call in flight: see `createDriftWatch`.
 *
 * Null: the gate is closed, and there is nothing to compare.
 */
export async function compareGate(
  deps: CompareGateDeps,
  stopping?: AbortSignal,
): Promise<readonly Difference[] | null> {
  const before = await deps.gate.state();
  if (!before.open) return null;
  const found: Difference[] = [];
  let after: HoldPosition | null = null;
  for (;;) {
    const page: HoldPage = await deps.holdReader.openHolds(after, PAGE);
    if (!(await addMissing(deps, page.holds, found))) return null;
    if (page.next === null || stopping?.aborted === true) break;
    after = page.next;
  }
  if (!(await addMissing(deps, await deps.holdReader.otherHolds(), found))) return null;
  let page: FoundHold[] = [];
  for await (const holds of deps.gate.holds()) {
    if (stopping?.aborted === true) break;
    page.push(...holds);
    if (page.length < PAGE) continue;
    await addLeaked(deps, page, found);
    page = [];
  }
  await addLeaked(deps, page, found);
  // A walk ends early when the gate is closed or rebuilt.
  const { open, token } = await deps.gate.state();
  return open && token?.generation === before.token?.generation ? found : null;
}

async function addLeaked(
  { reconcileStore }: Pick<CompareGateDeps, 'reconcileStore'>,
  holds: readonly FoundHold[],
  found: Difference[],
): Promise<void> {
  if (holds.length === 0) return;
  const statuses = await reconcileStore.holdStatuses(holds);
  for (const [index, { reservationId }] of holds.entries())
    if (statuses[index]?.kind !== 'open') found.push({ kind: 'hold_without_call', reservationId });
}

/** False: the gate is closed. */
async function addMissing(
  { gate }: Pick<CompareGateDeps, 'gate'>,
  expected: readonly GateHold[],
  found: Difference[],
): Promise<boolean> {
  for (let start = 0; start < expected.length; start += PAGE) {
    const page = expected.slice(start, start + PAGE);
    const holds = await gate.holdsOf(page.map(({ callId }) => callId));
    if (holds === null) return false;
    for (const [index, { reservationId, holdMicros }] of page.entries()) {
      const hold = holds[index];
      if (hold?.reservationId !== reservationId) found.push({ kind: 'call_not_held', reservationId });
      // A larger hold than in Postgres is right: it is raised in the gate first.
      else if (hold.holdMicros < holdMicros) found.push({ kind: 'hold_too_small', reservationId });
    }
  }
  return true;
}
