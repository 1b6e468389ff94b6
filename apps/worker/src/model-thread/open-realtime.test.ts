import { realtimeSettingsSchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { openAiSettings } from './open-realtime.ts';

function settingsFor(model: object) {
  const settings = realtimeSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You call patients of a dental practice.',
    model,
  });
  if (settings.model.provider === 'google' || settings.model.provider === 'openai_live') throw new Error('no dialect');
  return openAiSettings(settings.model, { settings, instructions: '', tools: [] });
}

test.each(['openai', 'azure'])('the noise reduction of an agent reaches %s', (provider) => {
  const model = { provider, model: 'gpt-realtime', transcription: null };
  expect(settingsFor({ ...model, noise_reduction: 'far_field' }).noiseReduction).toBe('far_field');
  expect(settingsFor(model)).not.toHaveProperty('noiseReduction');
});

test('xAI has none', () => {
  expect(settingsFor({ provider: 'xai', model: 'grok-voice' })).not.toHaveProperty('noiseReduction');
});
