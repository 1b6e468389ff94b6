import type { Component } from './agent-settings/index.ts';
import type { Provider } from './providers.ts';

/** What a provider bills. Quantities never overlap: cached tokens are not in the uncached count. */
export const USAGE_UNITS = [
  'input_text_token',
  'cached_input_text_token',
  'input_audio_token',
  'cached_input_audio_token',
  'output_text_token',
  'output_audio_token',
  'second',
  'character',
  'request',
] as const;
export type UsageUnit = (typeof USAGE_UNITS)[number];

/** A quantity of one unit of one model. Entries of the same unit add up. */
export interface UsageEntry {
  readonly component: Component;
  readonly provider: Provider;
  readonly model: string;
  readonly unit: UsageUnit;
  /** A number that is not negative; whole but for seconds. */
  readonly quantity: number;
}
