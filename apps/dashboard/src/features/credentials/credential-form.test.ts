import { createCredentialSchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { credentialInputOf, EMPTY_CREDENTIAL, limitsInputOf } from './credential-form.ts';

const draft = { ...EMPTY_CREDENTIAL, name: 'production', api_key: 'sk-1' };

test('empty fields are not sent', () => {
  expect(credentialInputOf(draft)).toEqual({ provider: 'openai', name: 'production', api_key: 'sk-1' });
});

test('limits are sent as numbers, and an empty one restores the default', () => {
  const limited = { ...draft, max_concurrent_calls: 8 };
  expect(credentialInputOf(limited)).toMatchObject({ max_concurrent_calls: 8 });
  expect(credentialInputOf(limited)).not.toHaveProperty('starts_per_second');
  expect(limitsInputOf(limited)).toEqual({ max_concurrent_calls: 8, starts_per_second: null, max_generations: null });
});

test('a region is sent only to a provider that has it', () => {
  expect(credentialInputOf({ ...draft, region: 'eu' })).toMatchObject({ region: 'eu' });
  const cartesia = credentialInputOf({ ...draft, provider: 'cartesia', region: 'eu' });
  expect(cartesia).not.toHaveProperty('region');
  expect(createCredentialSchema.safeParse(cartesia).success).toBe(true);
});
