import { agentSettingsSchema, signUpSchema } from '@outdial/contracts';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { fieldErrorsOf, validateBy } from './field-errors.ts';

const apiError = (facts: { code: 'invalid_request' | 'email_taken'; param?: string; details?: unknown }) =>
  new ApiError({ message: 'This e-mail address is already in use.', status: 400, ...facts });

describe('a form', () => {
  it('has no errors for valid values', () => {
    expect(validateBy(signUpSchema)({ name: 'Ann', email: 'ann@example.org', password: 'long enough' })).toEqual({});
  });

  it('reports each invalid field once, in words', () => {
    expect(
      validateBy(signUpSchema)({ name: ' ', email: 'ann', password: 'short', account_name: 'x'.repeat(101) }),
    ).toEqual({
      name: 'Must not be empty',
      email: 'Must be an e-mail address',
      password: 'Must have at least 10 characters',
      account_name: 'Must be at most 100 characters',
    });
  });

  it('names the values that a field may have, and the fields that are unknown', () => {
    const settings = { driver: 'realtime', name: 'A', instructions: 'Talk.' };
    const model = { provider: 'openai', model: 'gpt-realtime-2.1', voice: 'darth', loud: true };
    expect(validateBy(agentSettingsSchema)({ ...settings, model })).toEqual({
      'model.voice': 'Must be one of alloy, ash, ballad, cedar, coral, echo, marin, sage, shimmer, verse',
      model: 'Has an unknown field: loud',
    });
    expect(validateBy(agentSettingsSchema)({ ...settings, driver: 'robot' })).toEqual({
      driver: 'Must be one of scripted, realtime, cascade',
    });
  });

  it('reports errors inside lists and records by their path', () => {
    const errors = validateBy(agentSettingsSchema)({
      name: '',
      first_message: 'Hello.',
      lines: ['a', ' '],
      menu: { A: 'x' },
    });
    expect(errors).toEqual({
      name: 'Must not be empty',
      'lines.1': 'Must not be empty',
      'menu.A': 'Must be one phone key: 0-9, * or #',
    });
  });
});

describe('an API error', () => {
  it('is shown at the fields it names', () => {
    const details = [{ param: 'name', message: 'must not be empty' }];
    expect(fieldErrorsOf(apiError({ code: 'invalid_request', details }))).toEqual({ name: 'Must not be empty' });
    expect(fieldErrorsOf(apiError({ code: 'email_taken', param: 'email' }))).toEqual({
      email: 'This e-mail address is already in use.',
    });
  });

  it('that names no field is shown at none', () => {
    expect(fieldErrorsOf(apiError({ code: 'invalid_request' }))).toEqual({});
    expect(fieldErrorsOf(new Error('offline'))).toEqual({});
  });
});
