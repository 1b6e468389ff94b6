import type { ClaimedCall } from '@outdial/calls';
import type { CallId, CallStatus } from '@outdial/contracts';
import { claim, settlementOf, type Party, type World } from './world.ts';

/** What a driver's writes carry. */
export interface CallIn {
  readonly callId: CallId;
  /** 0 while no worker has claimed the call. */
  readonly epoch: number;
  readonly claimed: ClaimedCall | null;
}

/** A call that the stores brought to this status. */
export async function callIn(world: World, party: Party, status: CallStatus): Promise<CallIn> {
  if (status === 'scheduled') return { callId: (await world.scheduled(party)).id, epoch: 0, claimed: null };
  const { id: callId } = await world.queued(party);
  if (status === 'queued') return { callId, epoch: 0, claimed: null };
  const claimed = await claim(world.drives, callId);
  const fence = { callId, epoch: claimed.epoch };
  const atMs = claimed.startedAtMs;
  if (status === 'ringing') await world.drives.advance({ ...fence, to: status, atMs, sipCode: 180 });
  if (status === 'in_progress') await world.drives.advance({ ...fence, to: status, atMs });
  if (status === 'ended') await world.drives.settle(settlementOf(claimed));
  return { ...fence, claimed };
}
