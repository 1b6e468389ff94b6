import type { CallingPolicySettings } from '@outdial/contracts';

/** Rules to begin with. A policy that began with a pack does not change with it. */
export interface Pack {
  readonly title: string;
  readonly settings: CallingPolicySettings;
  /** What the settings say, each with where it is from. They help with the law, and are no legal advice. */
  readonly rows: readonly PackRow[];
}

export interface PackRow {
  readonly says: string;
  /** The law, or whose choice it is. */
  readonly source: string;
  /** The date on which the source was last compared. */
  readonly checkedAt: string;
}
