import { createHash } from 'node:crypto';
import type { TrunkName } from '@outdial/contracts';
import type { CallFacts } from '../call.ts';
import type { TrunkHealth } from '../ports/trunks.ts';
import type { Trunk } from './trunk.ts';

interface ChosenCall extends Pick<CallFacts, 'id'>, Partial<Pick<CallFacts, 'callerNumber'>> {
  /** It has a channel for the call already, and comes first if it may carry it. */
  readonly admittedTrunk?: TrunkName | null;
}

/**
 * The trunks that a call may be given to, the first choice first: by priority, and within one in proportion to weight.
 *
 * Chance comes out of the call's id: whoever asks again for the same call gets the same order.
 */
export function chooseTrunks(trunks: readonly Trunk[], call: ChosenCall, health: TrunkHealth): readonly Trunk[] {
  return trunks
    .filter((trunk) => trunk.enabled && trunk.channels > 0 && mayCarry(trunk, call.callerNumber) && health.isUp(trunk))
    .map((trunk) => ({ trunk, turn: turnOf(call.id, trunk) }))
    .toSorted(
      (a, b) =>
        Number(b.trunk.name === call.admittedTrunk) - Number(a.trunk.name === call.admittedTrunk) ||
        a.trunk.priority - b.trunk.priority ||
        compare(a.turn, b.turn) ||
        compare(a.trunk.name, b.trunk.name),
    )
    .map(({ trunk }) => trunk);
}

/** How many calls the system may have open: what it is set to, and no more than healthy trunks can carry. */
export function systemCapacity(setting: number, trunks: readonly Trunk[], health: TrunkHealth): number {
  const healthy = trunks.filter((trunk) => trunk.enabled && health.isUp(trunk));
  return Math.min(
    setting,
    healthy.reduce((sum, { channels }) => sum + channels, 0),
  );
}

/** Whether the carrier accepts calls from this number. */
export function mayCarry({ callerId: { prefixes } }: Trunk, callerNumber: string | undefined): boolean {
  if (prefixes.length === 0 || callerNumber === undefined) return true;
  return prefixes.some((prefix) => callerNumber.startsWith(`+${prefix}`));
}

/**
 * Exponentially distributed with the weight as its rate: the smallest of several comes first with a chance in proportion
 * to its weight, and so does each next one among those left.
 */
function turnOf(callId: string, { name, weight }: Trunk): number {
  if (weight === 0) return Infinity;
  const chance = (createHash('sha256').update(`${callId} ${name}`).digest().readUInt32BE() + 0.5) / 2 ** 32;
  return -Math.log(chance) / weight;
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
