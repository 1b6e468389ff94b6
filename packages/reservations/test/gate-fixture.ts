import { randomUUID } from 'node:crypto';
import type { AccountLimits, Gate, GateSnapshot, RebuildTicket } from '@outdial/calls';
import {
  accountIdSchema,
  callIdSchema,
  micros,
  reservationIdSchema,
  type AccountId,
  type CallId,
  type ReservationId,
} from '@outdial/contracts';

export const newCallId = (): CallId => callIdSchema.parse(randomUUID());
export const newAccountId = (): AccountId => accountIdSchema.parse(randomUUID());
export const newReservationId = (): ReservationId => reservationIdSchema.parse(randomUUID());

export const TIMELINE = '00000001';

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

export async function begin(gate: Gate): Promise<RebuildTicket> {
  const begun = await gate.beginRebuild();
  if (begun.kind !== 'begun') throw new Error(`the rebuild did not begin: ${begun.kind}`);
  return begun.ticket;
}

/** Rebuilds a closed gate out of this snapshot. */
export async function open(gate: Gate, changes: Partial<GateSnapshot> = {}): Promise<void> {
  const outcome = await gate.publish(await begin(gate), snapshotOf(changes));
  if (outcome !== 'published') throw new Error(`the gate did not open: ${outcome}`);
}

export async function collect<Item>(pages: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}
