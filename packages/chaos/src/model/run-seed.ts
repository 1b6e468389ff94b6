import * as fc from 'fast-check';
import { viewPostgres } from './check/postgres-view.ts';
import type { Promises, Violation } from './check/promises.ts';
import { comeToRest } from './come-to-rest.ts';
import { ACTIONS, type Action, type Profile } from './profile.ts';
import { ACTS } from './schedule/acts.ts';
import { round } from './schedule/quiet.ts';
import { createWorld } from './world/create-world.ts';
import type { Connections, World } from './world/world.ts';

export interface Verdict {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** The number of calls: a schedule without any has proved nothing. */
  readonly calls: number;
  readonly dials: number;
  readonly answers: ReadonlyMap<string, number>;
  readonly endedReasons: ReadonlyMap<string, number>;
  /** The schedule, for people. */
  readonly commands: string;
}

const BEFALLS_STORES = /^(?:redis|postgres)_/;

const LARGEST_PICK = 2 ** 20;

class Broken extends Error {}

/** The promises are the model, and the world is the real system under test. */
class Command implements fc.AsyncCommand<Promises, World> {
  readonly #action: Action;

  constructor(action: Action) {
    this.#action = action;
  }

  check(): boolean {
    return true;
  }

  async run(promises: Promises, world: World): Promise<void> {
    const { performed } = world.wire;
    const { length: invites } = world.network.invites;
    await ACTS[this.#action.kind](world, this.#action.pick);
    // Otherwise the stores are unchanged. Whether a call may be dialed must be checked at this very moment: the next
    // command may be the one that ends it.
    const hasNews = world.wire.performed > performed || world.network.invites.length > invites;
    if (hasNews || BEFALLS_STORES.test(this.#action.kind)) await world.check.look();
    if (promises.violations.length > 0) throw new Broken();
  }

  toString(): string {
    return `${this.#action.kind}(${this.#action.pick})`;
  }
}

function commandsOf({ weights, maxCommands }: Profile) {
  const kinds = ACTIONS.map((kind) => ({ weight: weights[kind], arbitrary: fc.constant(kind) }));
  const command = fc
    .record({ kind: fc.oneof(...kinds), pick: fc.nat(LARGEST_PICK) })
    .map((action) => new Command(action));
  return fc.commands([command], { maxCommands, size: 'max' });
}

/** Runs one schedule, and lets the world come to rest. The same seed gives the same schedule and outcome. */
export async function runSeed(connections: Connections, profile: Profile, seed: number): Promise<Verdict> {
  const runs: World[] = [];
  const property = fc.asyncProperty(commandsOf(profile), async (commands) => {
    const world = await createWorld(connections, profile);
    runs.push(world);
    await round(world, { lengthMs: 1_000, reconcile: false });
    for (const { kind, pick } of profile.opening) {
      await ACTS[kind](world, pick);
      if (kind === 'drain') await world.check.look();
    }
    await fc.asyncModelRun(() => ({ model: world.promises, real: world }), commands);
    await comeToRest(world);
    if (world.promises.violations.length > 0) throw new Broken();
  });
  const details = await fc.check(property, { seed, numRuns: 1, unbiased: true, endOnFailure: true });
  const world = runs.at(-1);
  if (!world) throw new Error('the schedule did not begin');
  // Anything but a broken promise is a bug in the model itself.
  if (details.errorInstance !== null && !(details.errorInstance instanceof Broken)) throw details.errorInstance;
  return verdictOf(world, seed, fc.stringify(details.counterexample));
}

async function verdictOf(world: World, seed: number, commands: string): Promise<Verdict> {
  const { calls } = await viewPostgres(world.postgres.client);
  const endedReasons = new Map<string, number>();
  for (const { reason } of calls) endedReasons.set(reason ?? 'open', (endedReasons.get(reason ?? 'open') ?? 0) + 1);
  return {
    seed,
    commands,
    endedReasons,
    violations: world.promises.violations,
    calls: calls.length,
    dials: world.network.invites.length,
    answers: world.promises.answers,
  };
}
