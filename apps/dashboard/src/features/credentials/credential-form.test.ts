import { createCredentialSchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { credentialInputOf, EMPTY_CREDENTIAL } from './credential-form.ts';

const draft = { ...EMPTY_CREDENTIAL, name: 'production', api_key: 'sk-1' };

test('empty fields are not sent', () => {
  expect(credentialInputOf(draft)).toEqual({ provider: 'openai', name: 'production', api_key: 'sk-1' });
});

test('a region is sent only to a provider that has it', () => {
  expect(credentialInputOf({ ...draft, region: 'eu' })).toMatchObject({ region: 'eu' });
  const cartesia = credentialInputOf({ ...draft, provider: 'cartesia', region: 'eu' });
  expect(cartesia).not.toHaveProperty('region');
  expect(createCredentialSchema.safeParse(cartesia).success).toBe(true);
});
