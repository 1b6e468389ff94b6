import type { ProfileName } from '../model/profiles.ts';
import type { Patch } from './patch.ts';

/** The product without one of its safeguards, and the seed at which a promise then breaks. */
export interface Mutant {
  /** What the safeguard guarantees, and the name of the test that fails without it. */
  readonly guarantee: string;
  readonly patches: readonly [Patch, ...Patch[]];
  readonly profile: ProfileName;
  readonly seed: number;
}
