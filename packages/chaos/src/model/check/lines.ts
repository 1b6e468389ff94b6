import { CALL_STATES, type LineLimits } from '@outdial/calls';
import { kindOf, linesOf } from '../processes/model-lines.ts';
import type { World } from '../world/world.ts';
import type { GateView } from './gate-view.ts';
import type { CallView, PostgresView } from './postgres-view.ts';

/** The promises about calls that models conduct, at every moment. */
export class LineCheck {
  readonly #world: Omit<World, 'check'>;
  readonly #lines: readonly LineLimits[];
  /** The calls that were seen after their claim. */
  readonly #claimed = new Set<string>();

  constructor(world: Omit<World, 'check'>) {
    this.#world = world;
    this.#lines = linesOf(world.profile);
  }

  look({ calls }: PostgresView, gate: GateView): void {
    if (this.#world.profile.kinds.length === 0) return;
    const driven = calls.filter(({ status }) => CALL_STATES.phases[status] === 'driven');
    for (const call of driven) this.#claim(call);
    for (const { name, maxCalls } of this.#lines) {
      const having = driven.filter(({ lines }) => lines?.includes(name));
      if (having.length > maxCalls)
        this.#world.promises.violate('no line is exceeded', `${having.length} calls have ${name} of ${maxCalls}`);
    }
    if (gate.current && gate.lines) for (const call of driven) this.#known(call, gate.lines);
  }

  /** A claim is seen before anything else happens to its call: a later owner only ends it. */
  #claim({ id, worker, driver, lines }: CallView): void {
    if (this.#claimed.has(id)) return;
    this.#claimed.add(id);
    const { workers, promises, profile } = this.#world;
    if (driver === null) return;
    const claimant = workers.find(({ process }) => process.name === worker);
    // The claim of a worker that was killed since arrived late.
    if (claimant && !claimant.drivers.includes(driver))
      promises.violate('a call is claimed by a worker that knows its driver', `${id}: ${driver}`);
    const needed = (kindOf(profile, id)?.lines ?? []).map((at) => this.#lines[at]?.name ?? '');
    if (!needed.every((name) => lines?.includes(name)))
      promises.violate('a call is claimed with its lines', `${id}: ${lines?.join() ?? 'none'} of ${needed.join()}`);
  }

  #known({ id, reservation, lines }: CallView, inGate: NonNullable<GateView['lines']>): void {
    if (lines === null) return;
    const record = inGate.get(id);
    const isKnown = record?.reservation === reservation && lines.every((name) => record.names.includes(name));
    if (!isKnown) this.#world.promises.violate('the gate knows the lines of open calls', `${id}: ${lines.join()}`);
  }
}
