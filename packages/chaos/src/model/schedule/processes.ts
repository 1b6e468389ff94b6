import { invariant } from '@outdial/kernel';
import type { ActionKind } from '../profile.ts';
import { settle } from '../world/clock.ts';
import { calleesOf } from '../processes/fixtures.ts';
import { processesOf, replace } from '../world/create-world.ts';
import type { CreateInput, World } from '../world/world.ts';
import { choose, rest, type Act } from './action.ts';
import { zoneAsked } from './policies.ts';

/** What clients request, what processes start, and what happens to them. */
export const PROCESS_ACTS = {
  create: (world, pick) => inApi(world, pick, (api) => api.create(requestOf(world, rest(pick)))),
  end: (world, pick) =>
    inApi(world, pick, (api) => {
      const { accepted, retries } = world.promises;
      const known = choose([...accepted.values(), ...retries.values()].slice(-4), rest(pick));
      if (known) api.end(known.accountId, known.id);
    }),
  top_up: (world, pick) =>
    inApi(world, pick, (api) => {
      const party = choose(world.parties, rest(pick));
      if (party) api.topUp(party.accountId, `top-up-${world.promises.count()}`);
    }),
  async take_job(world, pick) {
    const waiting = [...world.redis.main.jobs].filter(([, state]) => state === 'waiting');
    const callId = choose(waiting, pick)?.[0];
    const worker = choose(running(world.workers), rest(pick));
    if (callId === undefined || !worker || world.wire.down.has('redis')) return;
    world.redis.main.jobs.set(callId, 'running');
    worker.take(callId);
    await settle();
  },
  /** A lock was lost, or a loop was blocked: the job is delivered a second time. */
  stall_job({ redis: { main } }, pick) {
    const callId = choose([...main.jobs.keys()], pick);
    if (callId !== undefined) main.jobs.set(callId, 'waiting');
  },
  async reconcile(world, pick) {
    choose(running(world.workers), pick)?.reconcile();
    await settle();
  },
  async rebuild(world, pick) {
    choose(running(world.workers), pick)?.rebuild();
    await settle();
  },
  stop(world, pick) {
    const process = choose(
      processesOf(world).filter(({ state }) => state === 'running'),
      pick,
    );
    if (process) process.state = 'stopped';
  },
  /** Timers that fell due during the stop fire first, then the arrived answers are read. */
  async continue(world) {
    for (const process of processesOf(world)) process.state = 'running';
    await world.clock.advance(0);
  },
  kill(world, pick) {
    const process = choose(processesOf(world), pick);
    if (process) replace(world, process);
  },
} satisfies Partial<Record<ActionKind, Act>>;

export function running<Item extends World['apis'][number] | World['workers'][number]>(
  items: readonly Item[],
): readonly Item[] {
  return items.filter(({ process }) => process.state === 'running');
}

export async function inApi(world: World, pick: number, ask: (api: World['apis'][number]) => void): Promise<void> {
  const api = choose(running(world.apis), pick);
  if (!api) return;
  ask(api);
  await settle();
}

/** Consecutive requests share a few keys, so that retries meet; a third of the requests has none. */
const REQUESTS_PER_KEYS = 6;

export function requestOf({ parties, profile, promises }: World, pick: number): CreateInput {
  const party = choose(parties, pick);
  const number = rest(pick) % Math.ceil(profile.keys * 1.5);
  const generation = Math.floor(promises.count() / REQUESTS_PER_KEYS);
  // A repetition asks for the same telephone.
  const callee = choose(calleesOf(profile), number + generation);
  invariant(party && callee, 'a world has parties and telephones');
  return {
    party,
    callee,
    key: number < profile.keys ? `key-${generation}-${number}` : null,
    maxDurationSeconds: choose(profile.maxDurationsSeconds, number) ?? 60,
    when: zoneAsked(profile, number + generation),
  };
}
