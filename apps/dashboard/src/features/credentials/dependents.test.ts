import { cascadeSettingsSchema, scriptedSettingsSchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { sendsSecret, useOfCredential } from './dependents.ts';

const settings = cascadeSettingsSchema.parse({
  driver: 'cascade',
  name: 'Reminder',
  instructions: 'Remind.',
  llm: {
    provider: 'openai',
    model: 'gpt-5-mini',
    fallbacks: [{ provider: 'anthropic', model: 'claude-haiku', credential: 'backup' }],
  },
  tts: { provider: 'deepgram', voice: 'haley-en', credential: 'voices' },
  analysis: { summary: {}, llm: { provider: 'google', model: 'gemini-flash', credential: 'reports' } },
  tools: [
    {
      type: 'http',
      name: 'free_slots',
      description: 'Finds slots.',
      url: 'https://example.com/slots',
      headers: { Authorization: 'Bearer {{secret.CRM_TOKEN}}' },
    },
  ],
});
const script = scriptedSettingsSchema.parse({ driver: 'scripted', name: 'Script', first_message: 'Hello.' });

test('an agent depends on a credential that a model, a fallback or its analysis names', () => {
  expect(useOfCredential(settings, { provider: 'deepgram', name: 'voices' }, [])).toBe('named');
  expect(useOfCredential(settings, { provider: 'anthropic', name: 'backup' }, [])).toBe('named');
  expect(useOfCredential(settings, { provider: 'google', name: 'reports' }, [])).toBe('named');
  expect(useOfCredential(settings, { provider: 'openai', name: 'voices' }, [{ provider: 'openai' }])).toBe(null);
  expect(useOfCredential(settings, { provider: 'elevenlabs', name: 'voices' }, [])).toBe(null);
  expect(useOfCredential(script, { provider: 'openai', name: 'production' }, [])).toBe(null);
});

test('an agent that names none depends on the only credential for its provider', () => {
  const production = { provider: 'openai', name: 'production' } as const;
  expect(useOfCredential(settings, production, [{ provider: 'deepgram' }])).toBe('unnamed');
  expect(useOfCredential(settings, production, [{ provider: 'openai' }])).toBe(null);
});

test('an agent depends on the secrets in the headers of its tools', () => {
  expect(sendsSecret(settings, 'CRM_TOKEN')).toBe(true);
  expect(sendsSecret(settings, 'OTHER')).toBe(false);
  expect(sendsSecret(script, 'CRM_TOKEN')).toBe(false);
});
