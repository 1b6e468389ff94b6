import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createEgressClient, envEgressAllow, type EgressClient } from '@outdial/egress';
import { systemClock } from '@outdial/kernel';
import { createEars, createProviderLedger, createSimulatedProviders } from '@outdial/simulated-providers';
import { checkCredential } from '@outdial/providers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const KEY = 'sk-simulated-canary-4711';
const PATHS = { openai: '/v1', openai_live: '/v1', azure: '', xai: '/xai/v1', google: '/v1beta' } as const;
type Spoken = keyof typeof PATHS;

let server: Server;
let served: { close(): void };
let egress: EgressClient;
let origin: string;
let upgrades = 0;
const ledger = createProviderLedger();

beforeAll(async () => {
  server = createServer().on('upgrade', () => (upgrades += 1));
  const timings = { silenceMs: 200, thinkMs: 5, transcribeMs: 5, soundSpeed: 50, liveSpeed: 50 };
  const providers = createSimulatedProviders({
    clock: systemClock,
    ears: createEars([]),
    speak: async () => new Int16Array(0),
    script: { opening: {}, rules: [], otherwise: {} },
    timings: { ...timings, firstTokenMs: 1, tokenMs: 0, firstSoundMs: 1 },
    ledger,
  });
  served = providers.serve(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  egress = createEgressClient({ allowed: envEgressAllow.parse('127.0.0.0/8'), proxy: null });
});
afterAll(async () => {
  served.close();
  await egress.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function check(provider: Spoken, model?: string, { apiKey = KEY, isOfKey = false } = {}) {
  const credential = { accountId: null, provider, baseUrl: `${origin}${PATHS[provider]}`, region: null, apiKey };
  return checkCredential(egress, { credential, model, isOfKey });
}

describe('a check of a speech-to-speech model', () => {
  test.each([
    ['openai', 'gpt-realtime'],
    ['azure', 'my-deployment'],
    ['xai', undefined],
    ['xai', 'grok-voice-latest'],
    ['openai_live', 'gpt-live-1.1'],
    ['google', 'gemini-live-2.5-flash'],
  ] as const)('of %s opens a session with %s, and hears nothing that costs', async (provider, model) => {
    const before = upgrades;
    expect(await check(provider, model)).toEqual({
      result: 'ok',
      message: 'The provider accepts the key, and opened a session.',
    });
    expect(upgrades).toBe(before + 1);
    for (const unit of ['token', 'input_audio_token', 'output_text_token'] as const)
      expect(ledger.total({ component: 'realtime', unit })).toBe(0);
  });

  test.each([
    ['azure', '401', 'no_such_model'],
    ['xai', '401', 'no_such_model'],
    ['azure', '503', 'unreachable'],
    ['xai', '429', 'unreachable'],
  ] as const)(
    'of %s whose session with %s is refused finds: %s, and never that the key is rejected',
    async (provider, model, result) => {
      expect((await check(provider, model)).result).toBe(result);
    },
  );

  test('of a key that is rejected opens no session', async () => {
    const before = upgrades;
    for (const provider of ['openai', 'azure', 'xai'] as const)
      expect((await check(provider, 'gpt-realtime', { apiKey: 'sk-revoked' })).result).toBe('rejected');
    expect(upgrades).toBe(before);
  });

  test('is not made of other models, without a model, or of the key alone', async () => {
    const before = upgrades;
    for (const [provider, model] of [
      ['openai', 'gpt-5'],
      ['openai', undefined],
      ['azure', undefined],
      ['google', undefined],
    ] as const)
      await check(provider, model);
    expect((await check('xai', undefined, { isOfKey: true })).result).toBe('ok');
    expect(upgrades).toBe(before);
  });
});
