import type { CampaignHold } from '@outdial/contracts';
import type { Admission } from '../ports/observer.ts';
import type { AdmitCallOutcome } from './admit-call.ts';

/**
 * When to look again for a slot, for funds, for a store, for a trunk, for a line of a provider, for its credential, and for an
 * account that is enabled.
 */
export const LOOK_AGAIN_MS = {
  capacity: 500,
  funds: 30_000,
  budget: 30_000,
  unavailable: 500,
  trunks: 1_000,
  provider: 750,
  credential: 5_000,
  account: 5_000,
} as const;

/** What ends a turn before its calls are admitted. */
export type Obstacle = Extract<AdmitCallOutcome, { readonly kind: keyof typeof LOOK_AGAIN_MS }>;

export function isObstacle(outcome: AdmitCallOutcome): outcome is Obstacle {
  return outcome.kind in LOOK_AGAIN_MS;
}

/** What a campaign waits for after an obstacle; null: nothing that its account could change. */
export function holdOf({ kind }: Obstacle): CampaignHold | null {
  if (kind === 'credential') return 'provider';
  return kind === 'unavailable' ? null : kind;
}

/** The same of a call. */
export function waitOf(outcome: AdmitCallOutcome | null): 'capacity' | 'funds' | null {
  return outcome?.kind === 'capacity' || outcome?.kind === 'funds' ? outcome.kind : null;
}

export const METRIC_OF: Readonly<Record<AdmitCallOutcome['kind'], Admission>> = {
  admitted: 'admitted',
  refused: 'refused',
  capacity: 'capacity',
  funds: 'funds',
  budget: 'funds',
  credential: 'unavailable',
  account: 'unavailable',
  postponed: 'postponed',
  gone: 'gone',
  held: 'unavailable',
  left: 'unavailable',
  unavailable: 'unavailable',
};
