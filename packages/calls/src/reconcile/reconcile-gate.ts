import type { Logger } from '@outdial/kernel';
import type { AcceptStore } from '../ports/accept-store.ts';
import type { AccountLimits, FoundHold, Gate } from '../ports/gate.ts';
import type { Observer } from '../ports/observer.ts';
import type { HoldStatus, ReconcileStore } from '../ports/reconcile-store.ts';

export interface ReconcileGateDeps {
  readonly gate: Gate;
  readonly reconcileStore: ReconcileStore;
  readonly acceptStore: Pick<AcceptStore, 'voidReservation'>;
  readonly logger: Logger;
  readonly observer?: Observer;
}

/** A reservation that became no call by this age never will: its request was answered long ago. */
const UNKNOWN_HOLD_AGE_MS = 40_000;

/**
 * Walks the gate's holds and accounts and compares them with Postgres. This walk repairs every write to the gate that may
 * have been lost: releases, top-ups, limits.
 */
export async function reconcileGate(deps: ReconcileGateDeps): Promise<void> {
  if (!(await isCurrent(deps))) return;
  for await (const holds of deps.gate.holds()) await reconcileHolds(deps, holds);
  for await (const known of deps.gate.accounts()) await refreshAccounts(deps, known);
  await deps.gate.refreshSystem(await deps.reconcileStore.systemLimits());
}

/** Closes a gate whose decisions Postgres would reject one by one, so that it is rebuilt. */
async function isCurrent({ gate, reconcileStore, logger, observer }: ReconcileGateDeps): Promise<boolean> {
  const { open, token } = await gate.state();
  if (!open || token === null) return false;
  const current = await reconcileStore.currentToken();
  if (token.generation === current.generation && token.walTimeline === current.walTimeline) return true;
  logger.warn({ event: 'gate.closed', gate: token, postgres: current }, 'gate closed: its contents are stale');
  await gate.close(token);
  observer?.found('stale_gate', 1);
  return false;
}

async function reconcileHolds(deps: ReconcileGateDeps, holds: readonly FoundHold[]): Promise<void> {
  if (holds.length === 0) return;
  const statuses = await deps.reconcileStore.holdStatuses(holds);
  for (const [index, hold] of holds.entries()) {
    const status = statuses[index];
    if (status) await reconcileHold(deps, hold, status);
  }
}

async function reconcileHold(deps: ReconcileGateDeps, hold: FoundHold, status: HoldStatus): Promise<void> {
  const { callId, accountId, reservationId } = hold;
  switch (status.kind) {
    case 'open':
      return;
    case 'ended':
      // Its worker may have released it since.
      if ((await deps.gate.release(status.release)) === 'released') deps.observer?.found('hold_of_ended_call', 1);
      return;
    case 'unknown': {
      if (hold.ageMs < UNKNOWN_HOLD_AGE_MS) return;
      // A commit may still be in flight. The void row decides: if it is stored first, that commit fails.
      if ((await deps.acceptStore.voidReservation(reservationId)) === 'used') return;
      await deps.gate.release({ callId, accountId, reservationId });
      deps.observer?.found('hold_without_call', 1);
      deps.logger.warn({ event: 'gate.hold_released', callId, accountId }, 'hold without a call released');
    }
  }
}

async function refreshAccounts(
  { gate, reconcileStore, observer }: ReconcileGateDeps,
  known: readonly AccountLimits[],
): Promise<void> {
  if (known.length === 0) return;
  const byId = new Map(known.map((limits) => [limits.accountId, limits]));
  for (const limits of await reconcileStore.limitsOf([...byId.keys()])) {
    const cached = byId.get(limits.accountId);
    if (cached && isSame(cached, limits)) continue;
    if ((await gate.refreshAccount(limits)) === 'refreshed') observer?.found('stale_account', 1);
  }
}

function isSame(left: AccountLimits, right: AccountLimits): boolean {
  return left.balanceVersion === right.balanceVersion && left.capacityVersion === right.capacityVersion;
}
