import { createUsageMeter, type UsageMeter } from '@outdial/calls';
import { micros, PROVIDERS, type Micros, type Provider, type UsageEntry } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import type { UsageEntry as MindUsage } from '@outdial/minds';
import type { RunJob } from '@outdial/persistence';
import { modelsByRole, ROLES, type RunRole } from './models-by-role.ts';

/**
 * What a run uses and costs. Each role has its own credential, so each is priced apart: the same model may be free for one and paid
 * for another.
 */
export class RunUsage {
  readonly #meters: ReadonlyMap<RunRole, UsageMeter>;
  /** Sums of all roles by model; it knows no prices. */
  readonly #all: UsageMeter;
  readonly #holdMicros: Micros;

  constructor(job: Pick<RunJob, 'models' | 'scenario' | 'rates' | 'holdMicros'>, clock: Clock) {
    const { rates, holdMicros } = job;
    const byRole = modelsByRole(job);
    const none = { driver: 'cascade', rates, estimateMicrosPerMinute: micros(0) } as const;
    this.#meters = new Map(ROLES.map((role) => [role, createUsageMeter({ ...none, models: byRole[role] }, clock)]));
    this.#all = createUsageMeter({ ...none, rates: [], models: [] }, clock);
    this.#holdMicros = holdMicros;
  }

  add(role: RunRole, entries: readonly MindUsage[]): void {
    const known = entries.flatMap((entry) =>
      isProvider(entry.provider) ? [{ ...entry, provider: entry.provider }] : [],
    );
    this.#meters.get(role)?.add(known);
    this.#all.add(known);
  }

  /** An own credential costs nothing here, and has no hold. */
  get isSpent(): boolean {
    return this.#holdMicros > 0n && this.#spent() >= this.#holdMicros;
  }

  /** The cost is at most the hold. */
  used(): { readonly usage: readonly UsageEntry[]; readonly costMicros: Micros } {
    const spent = this.#spent();
    return {
      usage: this.#all.report()?.entries ?? [],
      costMicros: spent < this.#holdMicros ? spent : this.#holdMicros,
    };
  }

  #spent(): Micros {
    return micros([...this.#meters.values()].reduce((sum, meter) => sum + (meter.report()?.costMicros ?? 0n), 0n));
  }
}

const isProvider = (name: string): name is Provider => PROVIDERS.some((provider) => provider === name);
