import { describe, expect, it } from 'vitest';
import { signInSearchSchema } from './search.ts';

describe('the search parameters of the sign-in page', () => {
  it.each(['/accounts/1/calls?status=ended', '/', '/operations#x'])('accept the path %j', (next) => {
    expect(signInSearchSchema.parse({ next })).toEqual({ next });
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '\\\\evil',
    '/a\\b',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\\evil.example',
    '',
  ])('reject %j', (next) => {
    expect(signInSearchSchema.parse({ next })).toEqual({ next: undefined });
  });
});
