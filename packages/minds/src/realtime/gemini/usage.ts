import type { UsageEntry, UsageUnit } from '../../mind.ts';
import type { UsageMetadata } from './wire.ts';

type Details = UsageMetadata['promptTokensDetails'];

const audioIn = (details: Details): number =>
  details.reduce((sum, { modality, tokenCount }) => sum + (modality === 'AUDIO' ? tokenCount : 0), 0);
const textIn = (details: Details): number =>
  details.reduce((sum, { modality, tokenCount }) => sum + (modality === 'AUDIO' ? 0 : tokenCount), 0);

/**
 * What an answer is billed for. The prompt has the cached tokens, and some of no modality, which are no sound; thoughts are
 * counted beside the response, and cost as much as its text. Without details a conversation is sound.
 */
export function liveUsage(model: string, usage: UsageMetadata): readonly UsageEntry[] {
  const { promptTokensDetails: prompt, cacheTokensDetails: cached, responseTokensDetails: response } = usage;
  const promptAudio = prompt.length === 0 ? usage.promptTokenCount : audioIn(prompt);
  const promptText = Math.max(textIn(prompt), usage.promptTokenCount - promptAudio);
  const responseText = textIn(response);
  const responseAudio = Math.max(audioIn(response), usage.responseTokenCount - responseText);
  const quantities: readonly (readonly [UsageUnit, number])[] = [
    ['input_text_token', Math.max(0, promptText - textIn(cached)) + usage.toolUsePromptTokenCount],
    ['cached_input_text_token', Math.min(promptText, textIn(cached))],
    ['input_audio_token', Math.max(0, promptAudio - audioIn(cached))],
    ['cached_input_audio_token', Math.min(promptAudio, audioIn(cached))],
    ['output_text_token', responseText + usage.thoughtsTokenCount],
    ['output_audio_token', responseAudio],
  ];
  return quantities
    .filter(([, quantity]) => quantity > 0)
    .map(([unit, quantity]) => ({ component: 'realtime', provider: 'google', model, unit, quantity }));
}
