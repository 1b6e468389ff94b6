import type { CallId, E164, TrunkName } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { TrunkDeps } from './dial-attempts.ts';
import { chooseTrunksNow } from './choose-trunks.ts';
import { restoreChannels } from './restore-channels.ts';
import type { Trunk } from '../trunk.ts';

export type ChannelOutcome =
  /** The call may be claimed. `trunk` has a channel for it; null if none was needed, or no trunk can carry the call. */
  | { readonly kind: 'acquired'; readonly trunk: TrunkName | null }
  | { readonly kind: 'later'; readonly afterMs: number };

const NONE_NEEDED: ChannelOutcome = { kind: 'acquired', trunk: null };

/** A gate that is being rebuilt opens soon. */
export const CLOSED_GATE_MS = 1_000;
/** A trunk may be back at any moment; a thousand calls may wait for it. */
const NO_TRUNK_MS = 2_000;

/**
 * Before the claim: a call waits in the queue, up to its time there, until a trunk is up, has a free channel and may be
 * dialed. A claimed call would hold a lease for nothing. Rejects when a store is away.
 */
export async function acquireChannel(deps: TrunkDeps, callId: CallId): Promise<ChannelOutcome> {
  const choice = await trunksFor(deps, callId);
  if (choice.kind === 'later') return choice;
  if (choice.kind === 'refused') return NONE_NEEDED;
  const outcome = await deps.trunkChannels.acquire({ callId, trunks: choice.trunks });
  switch (outcome.kind) {
    case 'acquired':
      return outcome;
    case 'not_held':
      // It has probably ended: the claim finds out.
      return NONE_NEEDED;
    case 'closed':
      return { kind: 'later', afterMs: CLOSED_GATE_MS };
    case 'stale':
      await restoreChannels(deps, outcome.token);
      return { kind: 'later', afterMs: 0 };
    case 'wait':
      return { kind: 'later', afterMs: outcome.forMs };
    default:
      return unreachable(outcome);
  }
}

/** `refused`: no trunk will ever take it. The carrier will report that: it ends now, and not when its time is over. */
type TrunkChoice =
  | { readonly kind: 'trunks'; readonly trunks: readonly Trunk[] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'later'; readonly afterMs: number };

/** The trunks that may carry the call now, preferred trunk first. */
export async function trunksFor(deps: TrunkDeps, callId: CallId): Promise<TrunkChoice> {
  const all = await deps.trunkDirectory.all();
  const call = { id: callId, ...(await callerOf(deps, all, callId)) };
  const choice = await chooseTrunksNow(all, call, deps.health);
  return choice.kind === 'none_now' ? { kind: 'later', afterMs: NO_TRUNK_MS } : choice;
}

/** A channel of a trunk that rejects the caller number is useless. Without caller rules nothing is read. */
async function callerOf(
  { attempts }: TrunkDeps,
  all: readonly Trunk[],
  callId: CallId,
): Promise<{ readonly callerNumber?: E164 }> {
  if (all.every(({ enabled, callerId }) => !enabled || callerId.prefixes.length === 0)) return {};
  const callerNumber = await attempts.callerNumberOf(callId);
  return callerNumber === null ? {} : { callerNumber };
}
