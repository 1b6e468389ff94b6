import { micros, type UsageEntry } from '@outdial/contracts';
import type { ConductedCall, PinnedModel } from '../conducted-call.ts';
import { usageMicros, type UsageReport } from '../usage-cost.ts';

const LLM = { component: 'llm', provider: 'openai', model: 'gpt-5-mini' } as const;
const STT = { component: 'stt', provider: 'deepgram', model: 'flux-general-en' } as const;
const TTS = { component: 'tts', provider: 'cartesia', model: 'sonic-3' } as const;

const pinned = (isOwn: boolean) => ({ credentialId: isOwn ? 'own' : 'operators', isOwn, isFallback: false });

/** Three models; the account has its own credential for the last. A minute is expected to cost 6,000 micros. */
export const CONDUCTED: ConductedCall = {
  driver: 'cascade',
  models: [
    { ...STT, ...pinned(false) },
    { ...LLM, ...pinned(false) },
    { ...TTS, ...pinned(true) },
  ] satisfies readonly PinnedModel[],
  rates: [
    { ...STT, unit: 'second', priceMicrosPerMillion: micros(128_333_334) },
    { ...LLM, unit: 'input_text_token', priceMicrosPerMillion: micros(250_000) },
    { ...LLM, unit: 'output_text_token', priceMicrosPerMillion: micros(2_000_000) },
  ],
  estimateMicrosPerMinute: micros(6_000),
};

/** Seconds of speech to text, tokens of the language model, and characters on the account's own credential. */
export function usageOf(seconds: number, tokens: number, characters: number): readonly UsageEntry[] {
  const entries: readonly UsageEntry[] = [
    { ...STT, unit: 'second', quantity: seconds },
    { ...LLM, unit: 'output_text_token', quantity: tokens },
    { ...TTS, unit: 'character', quantity: characters },
  ];
  return entries.filter(({ quantity }) => quantity > 0);
}

export function reportOf(entries: readonly UsageEntry[]): UsageReport {
  return { entries, costMicros: usageMicros(CONDUCTED, entries) };
}
