import type { ProviderAccess } from '@outdial/analysis';
import type { FundsGate, Gate, LineGate, LineStore, ReconcileStore } from '@outdial/calls';
import { callIdSchema, TRY_LIMITS, type CallId, type TryId } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { ToolRunner } from '@outdial/minds';
import type { TryStore } from '@outdial/persistence';
import type { TryChannel } from '@outdial/queue';
import type { OpenTextMind } from './open-text-mind.ts';
import type { SoundDeps, SoundTimings } from './sound/sound-try.ts';

export interface TryTimings extends SoundTimings {
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  /** How often the worker looks for what the person wrote. */
  readonly pollEveryMs: number;
  /** For the money and the lines, before anything is said. */
  readonly placeMs: number;
  /** For the charge, while the gate or Postgres is away. */
  readonly chargeMs: number;
  readonly chargeAgainMs: number;
  /** Without a word of either side: the try holds a place that others wait for. */
  readonly idleMs: number;
  /** A try that no worker has begun by then is over. */
  readonly waitMs: number;
}

export const TRY_TIMINGS: TryTimings = {
  leaseMs: 10_000,
  renewEveryMs: 2_000,
  pollEveryMs: 100,
  placeMs: 10_000,
  chargeMs: 30_000,
  chargeAgainMs: 500,
  idleMs: TRY_LIMITS.idleSeconds * 1_000,
  waitMs: 20_000,
  joinMs: 15_000,
  awayMs: 5_000,
};

export interface TryDeps {
  readonly store: TryStore;
  readonly channel: TryChannel;
  readonly gate: Pick<Gate, 'release' | 'loadAccount' | 'close'>;
  readonly funds: FundsGate;
  readonly limits: Pick<ReconcileStore, 'limitsOf'>;
  readonly lineGate: Pick<LineGate, 'acquire' | 'restore'>;
  readonly lineStore: Pick<LineStore, 'takenLines'>;
  readonly opener: ProviderAccess['opener'];
  readonly openMind: OpenTextMind;
  readonly tools: ToolRunner;
  readonly sound: SoundDeps;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timings: TryTimings;
}

/** What holds the money and the lines of a try, and charges it. */
export type PlaceDeps = Omit<TryDeps, 'channel' | 'tools' | 'openMind' | 'opener' | 'sound'>;

/** The gate and the queue know a try by its id, as if it were a call's: it has a hold and lines like one. */
export function heldAs(tryId: TryId): CallId {
  return callIdSchema.parse(tryId);
}
