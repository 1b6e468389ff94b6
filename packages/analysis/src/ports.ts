import type { AnalysisStore, CredentialOpener, FundsGate, Gate, PinnedRate, ReconcileStore } from '@outdial/calls';
import type { AccountId, LlmChoice, Provider } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { OpenTextModel } from './text-model.ts';

export interface ChosenCredential {
  readonly credentialId: string;
  /** The account's own: its usage costs nothing. */
  readonly isOwn: boolean;
}

/** Chooses credentials as for a call: the named one, else the account's only one for the provider, else the operator's. */
export interface CredentialChooser {
  /** Null: there is none. */
  choose(input: {
    readonly accountId: AccountId;
    readonly provider: Provider;
    readonly name: string | null;
  }): Promise<ChosenCredential | null>;
}

/** The prices of models as they are now, for those that were not pinned when the call was accepted. */
export interface CurrentPrices {
  /** Empty: the model has none in this currency. */
  ratesOf(input: { readonly currency: string } & Pick<LlmChoice, 'provider' | 'model'>): Promise<readonly PinnedRate[]>;
}

export const ANALYSIS_OUTCOMES = ['completed', 'failed', 'skipped', 'retried'] as const;
export type AnalysisTryOutcome = (typeof ANALYSIS_OUTCOMES)[number];

export interface AnalysisTimings {
  /** Longer than the model and the charge may take together. */
  readonly leaseMs: number;
  /** For all requests of one try. */
  readonly modelMs: number;
  /** For the charge, while the gate or Postgres is away. */
  readonly chargeMs: number;
  /** Between two attempts to charge. */
  readonly chargeAgainMs: number;
  /** The pause after the first, the second … failed try. One more try than pauses. */
  readonly retryAfterMs: readonly number[];
}

export const ANALYSIS_TIMINGS: AnalysisTimings = {
  leaseMs: 240_000,
  modelMs: 150_000,
  chargeMs: 30_000,
  chargeAgainMs: 1_000,
  retryAfterMs: [10_000, 60_000, 180_000, 600_000],
};

/** What is known of providers: keys and prices. */
export interface ProviderAccess {
  readonly chooser: CredentialChooser;
  readonly opener: CredentialOpener;
  readonly prices: CurrentPrices;
}

export interface AnalysisDeps extends ProviderAccess {
  readonly store: AnalysisStore;
  readonly gate: Pick<Gate, 'release' | 'loadAccount' | 'close'>;
  readonly funds: FundsGate;
  readonly limits: Pick<ReconcileStore, 'limitsOf'>;
  readonly openModel: OpenTextModel;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `ANALYSIS_TIMINGS` unless given. */
  readonly timings?: AnalysisTimings;
  /** For metrics. Must not throw. */
  readonly onOutcome?: (outcome: AnalysisTryOutcome) => void;
}
