import type { Component, Driver, Micros, Provider, UsageUnit } from '@outdial/contracts';

/** A model that a call may use, with the credential that was chosen when the call was accepted. */
export interface PinnedModel {
  readonly component: Component;
  readonly provider: Provider;
  readonly model: string;
  readonly credentialId: string;
  /** The account's own credential: its usage is shown and costs nothing. */
  readonly isOwn: boolean;
  readonly isFallback: boolean;
}

/** Who answers the callee: the provider of the realtime model, or of the language model. */
export function answeringProvider({ models }: Pick<ConductedCall, 'models'>): Provider | null {
  const answers = models.filter(({ component }) => component === 'realtime' || component === 'llm');
  return (answers.find(({ isFallback }) => !isFallback) ?? answers[0])?.provider ?? null;
}

/** The price of one unit of one model, as it was when the call was accepted. */
export interface PinnedRate {
  readonly component: Component;
  readonly provider: Provider;
  readonly model: string;
  readonly unit: UsageUnit;
  readonly priceMicrosPerMillion: Micros;
}

/** What a call that models conduct has besides (`model_calls`). */
export interface ConductedCall {
  readonly driver: Exclude<Driver, 'scripted'>;
  readonly models: readonly PinnedModel[];
  readonly rates: readonly PinnedRate[];
  /** What a minute is expected to cost. 0 on the account's own credentials. */
  readonly estimateMicrosPerMinute: Micros;
}
