import { expect, test } from 'vitest';
import { liveUsage } from './usage.ts';
import { parseServerMessage } from './wire.ts';

function used(usageMetadata: object): Readonly<Record<string, number>> {
  const parsed = parseServerMessage(JSON.stringify({ usageMetadata }));
  const usage = parsed.kind === 'message' ? parsed.message.usageMetadata : undefined;
  if (usage === undefined) throw new Error('no usage');
  return Object.fromEntries(liveUsage('gemini-3.8-live', usage).map(({ unit, quantity }) => [unit, quantity]));
}

test('tokens are counted by modality, those of none as text, and thoughts beside the response', () => {
  const usage = used({
    promptTokenCount: 522,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 332 },
      { modality: 'AUDIO', tokenCount: 165 },
    ],
    responseTokenCount: 42,
    responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 42 }],
    thoughtsTokenCount: 136,
    toolUsePromptTokenCount: 7,
    totalTokenCount: 564,
  });
  expect(usage).toEqual({
    input_text_token: 364,
    input_audio_token: 165,
    output_text_token: 136,
    output_audio_token: 42,
  });
});

test('cached tokens are counted apart', () => {
  const usage = used({
    promptTokenCount: 300,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 100 },
      { modality: 'AUDIO', tokenCount: 200 },
    ],
    cacheTokensDetails: [
      { modality: 'TEXT', tokenCount: 80 },
      { modality: 'AUDIO', tokenCount: 150 },
    ],
  });
  expect(usage).toEqual({
    input_text_token: 20,
    cached_input_text_token: 80,
    input_audio_token: 50,
    cached_input_audio_token: 150,
  });
});

test('without details a conversation is sound', () => {
  expect(used({ promptTokenCount: 90, responseTokenCount: 30 })).toEqual({
    input_audio_token: 90,
    output_audio_token: 30,
  });
  expect(used({})).toEqual({});
});
