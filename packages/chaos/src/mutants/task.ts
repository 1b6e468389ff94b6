import { z } from 'zod';
import type { DrillName } from '../drills/drills.ts';
import type { ProfileName } from '../model/profiles.ts';
import type { StoreUrls } from '../model/world/world.ts';
import type { Proof } from './mutant.ts';

/** What `first-broken.ts` runs: schedules of the model, or a drill. */
export interface Task {
  readonly stores: StoreUrls;
  readonly proof:
    | { readonly profile: ProfileName; readonly from: number; readonly seeds: number }
    | { readonly drill: DrillName };
}

/** @param search looks for a seed among so many, instead of the known one */
export function toRun(proof: Proof, search?: number): Task['proof'] {
  if (proof.drill !== undefined) return { drill: proof.drill };
  const { profile, seed } = proof;
  return search === undefined ? { profile, from: seed, seeds: 1 } : { profile, from: 1, seeds: search };
}

export const brokenSchema = z.object({
  /** The profile with the seed, or the drill. */
  proof: z.string(),
  violations: z.array(z.object({ promise: z.string(), detail: z.string() })).readonly(),
});

/** The first schedule that broke a promise, or the drill, and how. */
export type Broken = z.output<typeof brokenSchema>;
