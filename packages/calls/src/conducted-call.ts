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
export function answeringProvider(conducted: Pick<ConductedCall, 'models'>): Provider | null {
  return providerOf(conducted, 'realtime') ?? providerOf(conducted, 'llm');
}

/** Whose model of this component a call uses first. */
export function providerOf({ models }: Pick<ConductedCall, 'models'>, component: Component): Provider | null {
  const chosen = models.filter((model) => model.component === component);
  return (chosen.find(({ isFallback }) => !isFallback) ?? chosen[0])?.provider ?? null;
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
