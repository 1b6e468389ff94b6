import type { CallStatus } from '@outdial/contracts';
import { claim, settlementOf, type ClaimedFacts, type Party, type World } from './world.ts';

/** A call that the stores brought to this status. A queued one has epoch 0, and its creation for a start. */
export async function callIn(world: World, party: Party, status: CallStatus): Promise<ClaimedFacts> {
  const { id, createdAtMs } = await world.queued(party);
  if (status === 'queued') return { id, epoch: 0, startedAtMs: createdAtMs };
  const claimed = await claim(world.drives, id);
  const call = { id, epoch: claimed.epoch, startedAtMs: claimed.startedAtMs };
  const write = { callId: id, epoch: call.epoch, atMs: call.startedAtMs };
  if (status === 'ringing') await world.drives.advance({ ...write, to: status, sipCode: 180 });
  if (status === 'in_progress') await world.drives.advance({ ...write, to: status });
  if (status === 'ended') await world.drives.settle(settlementOf(claimed));
  return call;
}
