import { describe, expect, it, onTestFinished } from 'vitest';
import { Outdial } from '../outdial.ts';

const openAt = (baseUrl: string, options: { readonly allowHttp?: boolean } = {}) =>
  new Outdial({ apiKey: 'od_live_test', baseUrl, ...options });

describe('an address with http:', () => {
  it.each([
    'http://localhost:3000',
    'http://127.0.0.1:3000/',
    'http://127.8.9.1',
    'http://[::1]:3000',
    'http://0x7f.1',
  ])('%s is this machine', (baseUrl) => expect(() => openAt(baseUrl)).not.toThrow());

  it.each([
    'http://calls.example.com',
    'http://10.0.0.1',
    'http://0.0.0.0:3000',
    'http://localhost.example.com',
    // Some resolvers ask the network for it.
    'http://api.localhost',
    'http://127.0.0.1.example.com',
    'http://[::2]',
    'HTTP://calls.example.com',
  ])('%s is refused, because the key would travel in the clear', (baseUrl) => {
    expect(() => openAt(baseUrl)).toThrow(expect.objectContaining({ code: 'insecure_address' }));
  });

  it('is accepted once the program or the environment allows it', () => {
    expect(() => openAt('http://calls.internal', { allowHttp: true })).not.toThrow();
    process.env['OUTDIAL_ALLOW_HTTP'] = 'true';
    onTestFinished(() => void delete process.env['OUTDIAL_ALLOW_HTTP']);
    expect(() => openAt('http://calls.internal')).not.toThrow();
    expect(() => openAt('http://calls.internal', { allowHttp: false })).toThrow(/OUTDIAL_ALLOW_HTTP=true/);
  });
});

it.each(['calls.example.com', 'ftp://calls.example.com', 'file:///etc/passwd'])('%s is no address', (baseUrl) => {
  expect(() => openAt(baseUrl, { allowHttp: true })).toThrow(expect.objectContaining({ code: 'not_configured' }));
});

it.each(['https://user:secret@calls.example.com', 'http://127.0.0.1@calls.example.com'])(
  '%s names a user',
  (baseUrl) => {
    expect(() => openAt(baseUrl)).toThrow(expect.objectContaining({ code: 'not_configured' }));
    expect(() => openAt(baseUrl)).not.toThrow(/secret/);
  },
);

it.each(['https://calls.example.com', 'https://calls.example.com/', 'https://calls.example.com/api/v1/'])(
  '%s is the address of the server',
  async (baseUrl) => {
    const asked: string[] = [];
    const fetch = async ({ url }: Request) => {
      asked.push(url);
      return Response.json({});
    };
    await new Outdial({ apiKey: 'od_live_test', baseUrl, fetch }).service.health();
    expect(asked).toEqual(['https://calls.example.com/healthz']);
  },
);

it.each(['od_live_secret\nx', 'od_live_secret\0', 'od_live_sécret', ' '])(
  'a key like %j is refused, and not shown',
  (apiKey) => {
    const open = () => new Outdial({ apiKey, baseUrl: 'https://calls.example.com' });
    expect(open).toThrow(expect.objectContaining({ code: 'not_configured' }));
    expect(open).not.toThrow(/secret/);
  },
);
