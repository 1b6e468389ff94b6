import { micros, type AccountId } from '@outdial/contracts';
import type { AccountLimits, Gate, GateSnapshot, GateToken, RebuildTicket, ReserveInput } from '../../ports/gate.ts';
import { newAccountId, newCallId, newReservationId } from '../ids.ts';

export const TIMELINE = '00000001';

export const tokenOf = (generation: number, walTimeline = TIMELINE): GateToken => ({ generation, walTimeline });

/** The token of a gate that `openGate` has opened. */
export const TOKEN = tokenOf(1);

/** The account of `attempt` and `openWith`. */
export const accountId = newAccountId();

export function attempt(changes: Partial<ReserveInput> = {}): ReserveInput {
  return { callId: newCallId(), accountId, reservationId: newReservationId(), holdMicros: micros(100), ...changes };
}

export function limitsOf(accountId: AccountId, changes: Partial<AccountLimits> = {}): AccountLimits {
  return {
    accountId,
    balanceMicros: micros(1_000_000),
    balanceVersion: 1,
    capacity: 10,
    capacityVersion: 1,
    ...changes,
  };
}

export function snapshotOf(changes: Partial<GateSnapshot> = {}): GateSnapshot {
  return {
    token: { generation: 1, walTimeline: TIMELINE },
    system: { capacity: 1_000, capacityVersion: 1 },
    accounts: [],
    holds: [],
    ...changes,
  };
}

/** The ticket of a rebuild that must be able to begin. */
export async function begunRebuild(gate: Gate): Promise<RebuildTicket> {
  const begun = await gate.beginRebuild();
  if (begun.kind !== 'begun') throw new Error(`the rebuild did not begin: ${begun.kind}`);
  return begun.ticket;
}

/** Rebuilds a closed gate from this snapshot. */
export async function openGate(gate: Gate, changes: Partial<GateSnapshot> = {}): Promise<void> {
  const outcome = await gate.publish(await begunRebuild(gate), snapshotOf(changes));
  if (outcome !== 'published') throw new Error(`the gate did not open: ${outcome}`);
}

/** Opens a closed gate that knows the account. */
export async function openWith(
  gate: Gate,
  changes: Partial<AccountLimits> = {},
  systemCapacity = 1_000,
): Promise<void> {
  await openGate(gate, {
    accounts: [limitsOf(accountId, changes)],
    system: { capacity: systemCapacity, capacityVersion: 1 },
  });
}

export async function collect<Item>(pages: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}
