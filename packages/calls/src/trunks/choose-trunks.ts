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
export function chooseTrunks(
  trunks: readonly Trunk[],
  call: ChosenCall,
  health: Pick<TrunkHealth, 'isUp'>,
): readonly Trunk[] {
  return trunks
    .filter((trunk) => isCandidate(trunk, call) && health.isUp(trunk, call.id))
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

/**
 * How many calls the system may have open: what it is set to, and no more than the enabled trunks have channels. A trunk
 * that is out of order keeps its share: its calls wait. Without any trunk there is nothing to be full.
 */
export function systemCapacity(setting: number, trunks: readonly Trunk[]): number {
  const enabled = trunks.filter((trunk) => trunk.enabled);
  if (enabled.length === 0) return setting;
  return Math.min(
    setting,
    enabled.reduce((sum, { channels }) => sum + channels, 0),
  );
}

/** Whether the trunk would carry the call, if it is in order. */
function isCandidate(trunk: Trunk, { callerNumber }: Pick<ChosenCall, 'callerNumber'>): boolean {
  return trunk.enabled && trunk.channels > 0 && mayCarry(trunk, callerNumber);
}

/** `refused`: there are trunks, and none accepts calls from this number, which waiting does not change. */
type Choice =
  | { readonly kind: 'trunks'; readonly trunks: readonly Trunk[] }
  | { readonly kind: 'refused' }
  /** No trunk is enabled, or each that would carry the call is out of order. */
  | { readonly kind: 'none_now' };

/**
 * The trunks that a call may be given to now. One that is half-open comes into question if this call is the one that it is
 * tried with, also where others are up: it is tried by calls alone.
 */
export async function chooseTrunksNow(
  trunks: readonly Trunk[],
  call: ChosenCall,
  health: TrunkHealth,
): Promise<Choice> {
  for (const trunk of trunks) if (isCandidate(trunk, call)) await health.tryProbe(trunk, call.id);
  const chosen = chooseTrunks(trunks, call, health);
  if (chosen.length > 0) return { kind: 'trunks', trunks: chosen };
  const enabled = trunks.filter((trunk) => trunk.enabled);
  const isRefused = enabled.length > 0 && !enabled.some((trunk) => mayCarry(trunk, call.callerNumber));
  return { kind: isRefused ? 'refused' : 'none_now' };
}

/** Whether the carrier accepts calls from this number. */
function mayCarry({ callerId: { prefixes } }: Trunk, callerNumber: string | undefined): boolean {
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
