import type { World } from '../world/world.ts';
import type { Moment } from './moment.ts';

/** Why the world is not at rest yet; empty once it is. */
export function unrest(world: World, { postgres, gate }: Moment): readonly string[] {
  const reasons: string[] = [];
  const open = postgres.calls.filter(({ status }) => status !== 'ended');
  if (open.length > 0) reasons.push(`${open.length} open calls: ${open.map(({ status }) => status).join(', ')}`);
  if (!gate.current) reasons.push('the gate is closed');
  if (gate.holds.size > 0) reasons.push(`${gate.holds.size} holds`);
  for (const [id, { version }] of gate.accounts) {
    const account = postgres.accounts.find((one) => one.id === id);
    if (account?.version !== version) reasons.push('the gate knows an old balance');
  }
  if (world.network.legs.length > 0) reasons.push(`${world.network.legs.length} legs`);
  // One that was never started stays a draft.
  for (const { id, state } of world.campaigns.views)
    if (state !== 'draft' && state !== 'completed' && state !== 'cancelled') reasons.push(`campaign ${id} is ${state}`);
  if (world.workers.some((worker) => worker.liveCalls() > 0)) reasons.push('calls are driven');
  return reasons;
}

/** What must hold at rest, beyond the conditions of being at rest. */
export function checkAtRest(world: World, { postgres, gate }: Moment): void {
  const { promises } = world;
  for (const [id, { balance, held, openCalls }] of gate.accounts) {
    const account = postgres.accounts.find((one) => one.id === id);
    if (account?.balance !== balance) promises.violate('cached balance', `${balance} for ${account?.balance}`);
    if (held !== 0 || openCalls !== 0) promises.violate('nothing held at rest', `${held} micros, ${openCalls} slots`);
  }
  if (world.network.legs.length > 0) promises.violate('no leg at rest', `${world.network.legs.length}`);
}
