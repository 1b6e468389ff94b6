import { expect, test } from 'vitest';
import { credentialChoices } from './credential-choices.ts';

const ONE = [
  { provider: 'openai', name: 'production' },
  { provider: 'deepgram', name: 'voices' },
] as const;
const labels = (credential: string, credentials?: Parameters<typeof credentialChoices>[1]) =>
  credentialChoices({ provider: 'openai', credential }, credentials).map(({ label }) => label);

test('a model may use the credentials of its provider', () => {
  expect(credentialChoices({ provider: 'openai', credential: 'production' }, ONE)).toEqual([
    { value: '', label: 'Automatic: production' },
    { value: 'production', label: 'production' },
  ]);
});

test('without a choice, the operator’s credential is used unless there is exactly one for the provider', () => {
  expect(labels('', [])).toEqual(['Automatic: the operator’s']);
  expect(labels('', [...ONE, { provider: 'openai', name: 'staging' }])).toEqual([
    'Automatic: the operator’s',
    'production',
    'staging',
  ]);
});

test('the chosen credential stays a choice while the list is read, and if it is not the account’s', () => {
  expect(labels('house')).toEqual(['Automatic', 'house']);
  expect(labels('voices', ONE)).toEqual(['Automatic: production', 'production', 'voices (not yours for OpenAI)']);
});
