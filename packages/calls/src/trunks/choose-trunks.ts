import { createHash } from 'node:crypto';
import type { TrunkName } from '@outdial/contracts';
import type { CallFacts } from '../call.ts';
import type { TrunkHealth } from '../ports/trunks.ts';
import type { Trunk } from '../trunk.ts';

interface ChosenCall extends Pick<CallFacts, 'id'>, Partial<Pick<CallFacts, 'callerNumber'>> {
  /** It already has a channel for the call, and comes first if it may carry it. */
  readonly acquiredTrunk?: TrunkName | null;
}

/**
 * The trunks that a call may be given to, preferred trunk first: by priority, and within one priority in proportion to
 * weight.
 *
 * The random order derives from the call's id: it is the same every time for the same call.
 */
export function chooseTrunks(
  trunks: readonly Trunk[],
  call: ChosenCall,
  health: Pick<TrunkHealth, 'isUp'>,
): readonly Trunk[] {
  return trunks
    .filter((trunk) => isCandidate(trunk, call) && health.isUp(trunk, call.id))
    .map((trunk) => ({ trunk, draw: drawOf(call.id, trunk) }))
    .toSorted(
      (a, b) =>
        Number(b.trunk.name === call.acquiredTrunk) - Number(a.trunk.name === call.acquiredTrunk) ||
        a.trunk.priority - b.trunk.priority ||
        compare(a.draw, b.draw) ||
        compare(a.trunk.name, b.trunk.name),
    )
    .map(({ trunk }) => trunk);
}

/**
 * How many calls the system may have open: its setting, limited to the channels of the enabled trunks. A trunk that is
 * down keeps its share: its calls wait. Without any trunk the setting applies.
 */
export function systemCapacity(setting: number, trunks: readonly Trunk[]): number {
  const enabled = trunks.filter((trunk) => trunk.enabled);
  if (enabled.length === 0) return setting;
  return Math.min(
    setting,
    enabled.reduce((sum, { channels }) => sum + channels, 0),
  );
}

/** Whether the trunk would carry the call if it were up. */
function isCandidate(trunk: Trunk, { callerNumber }: Pick<ChosenCall, 'callerNumber'>): boolean {
  return trunk.enabled && trunk.channels > 0 && mayCarry(trunk, callerNumber);
}

/** `refused`: there are trunks, but none accepts calls from this number, and waiting does not change that. */
type Choice =
  | { readonly kind: 'trunks'; readonly trunks: readonly Trunk[] }
  | { readonly kind: 'refused' }
  /** No trunk is enabled, or every trunk that would carry the call is down. */
  | { readonly kind: 'none_now' };

/**
 * The trunks that a call may be given to now. A half-open trunk is included if this call is its probe, even while other
 * trunks are up: only calls can probe it.
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
 * Exponentially distributed with the weight as its rate: the smallest of several values comes first with a probability in
 * proportion to its weight, and so does each next one among the rest.
 */
function drawOf(callId: string, { name, weight }: Trunk): number {
  if (weight === 0) return Infinity;
  const chance = (createHash('sha256').update(`${callId} ${name}`).digest().readUInt32BE() + 0.5) / 2 ** 32;
  return -Math.log(chance) / weight;
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
