import { describe, expect, test } from 'vitest';
import { providerFailure } from './failure.ts';

const messageOf = (message: string, credential: string) =>
  providerFailure({ component: 'stt', kind: 'rejected', message, credential }).message;

describe('a failure contains no key', () => {
  test.each([
    ['whole', '7f3a9c2158d04b6e91bc', 'Invalid key 7f3a9c2158d04b6e91bc.'],
    ['by its beginning', '7f3a9c2158d04b6e91bc', 'Invalid key 7f3a9c21...'],
    ['masked', '7f3a9c2158d04b6e91bc', 'Invalid key 7f3a9c21********91bc.'],
    ['masked, but for its end', '7f3a9c2158d04b6e91bc', 'Invalid key ****91bc.'],
    ['of another form', 'sk-live-58d04b6e91bc', 'Invalid key sk-live-***91bc.'],
    ['of somebody else', '7f3a9c2158d04b6e91bc', 'Invalid key sk-live-58d04b6e.'],
  ])('%s', (_how, credential, message) => {
    expect(messageOf(message, credential)).toMatch(/^Invalid key \[key\]\.?$/);
  });

  test('and keeps what is none', () => {
    expect(messageOf('HTTP 401: **Unknown** model flux-general-en', '7f3a9c2158d04b6e91bc')).toBe(
      'HTTP 401: **Unknown** model flux-general-en',
    );
    expect(messageOf('the model ollama is unknown', 'ollama')).toBe('the model [key] is unknown');
  });
});
