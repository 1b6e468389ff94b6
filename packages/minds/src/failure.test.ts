import { describe, expect, test } from 'vitest';
import { codeBlamesRequest, endBlamesRequest, kindOfEnd, providerFailure } from './failure.ts';

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

describe('the end of a socket in a call', () => {
  test.each([1_000, 1_001, 1_005, 1_006, 1_011, 1_012, 1_013])('with %i is the provider’s', (code) => {
    const end = { kind: 'closed', code, reason: '' } as const;
    expect([kindOfEnd(end, true), kindOfEnd(end, false)]).toEqual(['unreachable', 'dropped']);
    expect(endBlamesRequest(end)).toBe(false);
  });

  test.each([1_003, 1_007, 1_008, 1_009, 4_000])('with %i is for what was sent', (code) => {
    const end = { kind: 'closed', code, reason: '' } as const;
    expect([kindOfEnd(end, true), kindOfEnd(end, false)]).toEqual(['rejected', 'dropped']);
    expect(endBlamesRequest(end)).toBe(true);
  });
});

test('the code of an error says whether it is the provider’s own trouble', () => {
  for (const code of [
    'INTERNAL_SERVER_ERROR',
    'server_error',
    '503',
    'overloaded_error',
    'NET-0000',
    'session_timeout',
  ])
    expect([code, codeBlamesRequest(code)]).toEqual([code, false]);
  for (const code of ['', 'DATA-0000', 'voice_not_found', 'invalid_request_error', '400', 'content_filter'])
    expect([code, codeBlamesRequest(code)]).toEqual([code, true]);
});
