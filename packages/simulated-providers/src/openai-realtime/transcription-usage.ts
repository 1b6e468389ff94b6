import type { LedgerEntry } from '../ledger.ts';
import { calleeAudioTokens, textTokens } from './token-count.ts';

/** The usage of one transcribed turn, as the provider reports it. */
export type TranscriptionUsage = ReturnType<typeof tokensOf> | ReturnType<typeof durationOf>;

/** Whisper is billed by the second, the newer models by tokens. */
export function transcriptionUsageOf(model: string, transcript: string, durationMs: number): TranscriptionUsage {
  return /whisper/.test(model) ? durationOf(durationMs) : tokensOf(transcript, durationMs);
}

function durationOf(durationMs: number) {
  return { type: 'duration', seconds: durationMs / 1_000 } as const;
}

function tokensOf(transcript: string, durationMs: number) {
  const audio = calleeAudioTokens(durationMs);
  const text = textTokens(transcript);
  return {
    type: 'tokens',
    total_tokens: audio + text,
    input_tokens: audio,
    output_tokens: text,
    input_token_details: { text_tokens: 0, audio_tokens: audio },
  } as const;
}

/** What the provider bills for it. */
export function transcriptionEntries(provider: string, usage: TranscriptionUsage): readonly LedgerEntry[] {
  const owner = { component: 'stt', provider } as const;
  if (usage.type === 'duration') return [{ ...owner, unit: 'second', quantity: usage.seconds }];
  return [
    { ...owner, unit: 'input_audio_token', quantity: usage.input_token_details.audio_tokens },
    { ...owner, unit: 'output_text_token', quantity: usage.output_tokens },
  ];
}
