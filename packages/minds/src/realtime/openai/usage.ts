import type { UsageEntry, UsageUnit } from '../../mind.ts';
import type { ResponseUsage, TranscriptionUsage } from './wire.ts';

/** Whose model is billed. */
type Owner = Pick<UsageEntry, 'provider' | 'model'>;

function entriesOf(
  component: UsageEntry['component'],
  owner: Owner,
  quantities: readonly (readonly [UsageUnit, number])[],
): readonly UsageEntry[] {
  return quantities
    .filter(([, quantity]) => quantity > 0)
    .map(([unit, quantity]) => ({ component, ...owner, unit, quantity }));
}

/** What a response is billed for. The provider's input counts include the cached tokens; ours do not. */
export function responseUsage(owner: Owner, usage: ResponseUsage): readonly UsageEntry[] {
  const input = usage.input_token_details;
  const cachedText = input?.cached_tokens_details?.text_tokens ?? 0;
  const cachedAudio = input?.cached_tokens_details?.audio_tokens ?? 0;
  return entriesOf('realtime', owner, [
    ['input_text_token', Math.max(0, (input?.text_tokens ?? 0) - cachedText)],
    ['cached_input_text_token', cachedText],
    ['input_audio_token', Math.max(0, (input?.audio_tokens ?? 0) - cachedAudio)],
    ['cached_input_audio_token', cachedAudio],
    ['output_text_token', usage.output_token_details?.text_tokens ?? 0],
    ['output_audio_token', usage.output_token_details?.audio_tokens ?? 0],
  ]);
}

/** What the transcription of a turn is billed for: by tokens or by the second, as the model has it. */
export function transcriptionUsage(owner: Owner, usage: TranscriptionUsage): readonly UsageEntry[] {
  if (usage.type === 'duration') return entriesOf('stt', owner, [['second', usage.seconds]]);
  const details = usage.input_token_details;
  return entriesOf('stt', owner, [
    ['input_text_token', details?.text_tokens ?? 0],
    ['input_audio_token', details?.audio_tokens ?? (details ? 0 : usage.input_tokens)],
    ['output_text_token', usage.output_tokens],
  ]);
}
