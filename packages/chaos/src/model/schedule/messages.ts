import type { ActionKind } from '../profile.ts';
import type { World } from '../world/world.ts';
import { choose, type Act } from './action.ts';
import { hearNext } from './telephone.ts';

/** Commands and answers arrive, are late, are lost or come twice; time passes. */
export const MESSAGE_ACTS = {
  step: (world, pick) => goOn(world, pick, true),
  perform: (world, pick) => goOn(world, pick, false),
  async abandon({ wire }, pick) {
    const message = choose([...wire.sent, ...wire.answered], pick);
    if (message) await wire.abandon(message);
  },
  duplicate({ wire }, pick) {
    const message = choose(
      wire.next().filter(({ target, deliver }) => target === 'redis' && deliver === null),
      pick,
    );
    if (message) wire.duplicate(message);
  },
  async stray({ wire }, pick) {
    const stray = choose(wire.strays, pick);
    if (stray) await wire.arrive(stray);
  },
  async wait({ clock, network, profile }, pick) {
    await clock.advance(choose(profile.waitsMs, pick) ?? 0, () => network.expire());
  },
} satisfies Partial<Record<ActionKind, Act>>;

async function goOn(world: World, pick: number, read: boolean): Promise<void> {
  const messages = world.wire.next();
  // The far end's events are among the things that a process may receive next.
  const index = pick % (messages.length + 1);
  const message = messages[index];
  if (message) await world.wire.step(message, read);
  else await hearNext(world, pick);
}
