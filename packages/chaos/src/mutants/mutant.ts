import type { DrillName } from '../drills/drills.ts';
import type { ProfileName } from '../model/profiles.ts';
import type { Patch } from './patch.ts';

/** The product without one of its safeguards, and how a promise then breaks. */
export type Mutant = Safeguard & Proof;

interface Safeguard {
  /** What the safeguard guarantees, and the name of the test that fails without it. */
  readonly guarantee: string;
  readonly patches: readonly [Patch, ...Patch[]];
}

/** A schedule of the model, by its seed; or a drill. */
export type Proof =
  | { readonly profile: ProfileName; readonly seed: number; readonly drill?: undefined }
  | { readonly drill: DrillName };
