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

const TEXT_TOKENS = ['input_text_token', 'cached_input_text_token', 'output_text_token'] as const;

/** What usage of a component is counted in. A price of another unit would never be charged. */
const UNITS_OF = {
  realtime: [...TEXT_TOKENS, 'input_audio_token', 'cached_input_audio_token', 'output_audio_token', 'second'],
  stt: ['input_text_token', 'input_audio_token', 'output_text_token', 'second'],
  llm: TEXT_TOKENS,
  tts: ['character'],
} as const satisfies Readonly<Record<Component, readonly UsageUnit[]>>;

/** xAI bills the time of a conversation, and each item of text that is added to it. */
const XAI_REALTIME = ['second', 'request'] as const satisfies readonly UsageUnit[];

/** GPT-Live is billed by time. What it delegates is a language model's work. */
const LIVE_REALTIME = ['second'] as const satisfies readonly UsageUnit[];

/** The units that a model of this component is priced in. Models of OpenAI alone transcribe by tokens. */
export function unitsOf(component: Component, provider: Provider): readonly UsageUnit[] {
  if (component === 'realtime' && provider === 'xai') return XAI_REALTIME;
  if (component === 'realtime' && provider === 'openai_live') return LIVE_REALTIME;
  const transcribesByTokens = provider === 'openai' || provider === 'azure';
  return component === 'stt' && !transcribesByTokens ? ['second'] : UNITS_OF[component];
}

/** A quantity of one unit of one model. Entries of the same unit add up. */
export interface UsageEntry {
  readonly component: Component;
  readonly provider: Provider;
  readonly model: string;
  readonly unit: UsageUnit;
  /** A number that is not negative; whole but for seconds. */
  readonly quantity: number;
}
