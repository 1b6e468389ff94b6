import { createRateDeck } from '@outdial/calls';
import { accountIdSchema, agentSettingsSchema, micros } from '@outdial/contracts';
import { createEgressClient, envEgressAllow } from '@outdial/egress';
import { systemClock } from '@outdial/kernel';
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../http/api-error.ts';
import type { NamedCredential } from '@outdial/persistence';
import { requireUsable } from './check-settings.ts';

const egress = createEgressClient({ allowed: envEgressAllow.parse('10.20.0.0/16'), proxy: null, clock: systemClock });
afterAll(() => egress.close());

const ACCOUNT = accountIdSchema.parse(randomUUID());
const KNOWN: readonly NamedCredential[] = [
  { provider: 'openai', name: 'main' },
  { provider: 'elevenlabs', name: 'voices' },
];
const cascade = {
  driver: 'cascade',
  name: 'Appointment',
  instructions: 'You remind people of a visit.',
  llm: { provider: 'openai', model: 'gpt-mini', credential: 'main' },
  tts: { provider: 'elevenlabs', voice: 'EXAVITQu4vr4xnSDxMaL', credential: 'voices' },
};
const tool = (url: string) => ({ type: 'http', name: 'slots', description: 'Finds slots.', url });

const findCredentialNames = async (accountId: string) => (accountId === ACCOUNT ? KNOWN : []);
const findSecretNames = async (accountId: string) => (accountId === ACCOUNT ? ['CRM_TOKEN'] : []);
const RATE = {
  connectionFeeMicros: micros(0),
  pricePerMinuteMicros: micros(10_000),
  initialIncrementSeconds: 60,
  incrementSeconds: 60,
};
/** Calls within North America, without premium numbers. */
const transferDirectory = {
  rateDeck: async (currency: string) => createRateDeck({ currency, version: 1, rates: [{ prefix: '1', ...RATE }] }),
  findAccount: async () => ({
    id: ACCOUNT,
    name: 'Acme',
    currency: 'USD',
    enabled: true,
    mayUseSystemNumber: false,
    maxDurationSeconds: 1_800,
    ringTimeoutSeconds: 60,
    outboundNumbers: [],
    blockedPrefixes: ['1900'],
    policies: { policy: null, floor: null },
  }),
};
const transferringTo = (...numbers: readonly string[]) => ({
  tools: [
    {
      type: 'transfer_call',
      name: 'transfer',
      description: 'Transfers.',
      destinations: numbers.map((number, at) => ({ name: `Desk ${at}`, to_number: number, description: 'Sales.' })),
    },
  ],
});
const sending = (header: string) => ({
  tools: [{ ...tool('https://example.com/slots'), headers: { 'X-Key': header } }],
});

async function problemsOf(changes: object): Promise<unknown> {
  try {
    await requireUsable(
      { egress, findCredentialNames, findSecretNames, transferDirectory },
      ACCOUNT,
      agentSettingsSchema.parse({ ...cascade, ...changes }),
    );
    return [];
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return error.details;
    throw error;
  }
}

describe('settings are accepted', () => {
  it.each([
    ['with credentials of their provider', {}],
    ['without named credentials', { llm: { provider: 'anthropic', model: 'claude' } }],
    ['with a secret of the account', sending('Bearer {{secret.CRM_TOKEN}}')],
    ['with destinations that the account may call', transferringTo('+1 (202) 555-0142', 'sip:sales@pbx.example')],
    ['with a public tool', { tools: [tool('https://example.com/slots')] }],
    ['with a tool in a network that the operator allows', { tools: [tool('http://10.20.0.4/slots')] }],
  ])('%s', async (_what, changes) => {
    expect(await problemsOf(changes)).toEqual([]);
  });
});

describe('settings are rejected at the path in the request', () => {
  it.each([
    ['a private address', 'settings.tools.0.url', { tools: [tool('https://192.168.0.1/slots')] }],
    ['a private address in decimal form', 'settings.tools.0.url', { tools: [tool('https://2130706433/')] }],
    ['a private address in IPv6', 'settings.tools.0.url', { tools: [tool('https://[::ffff:127.0.0.1]/')] }],
    ['the address of cloud metadata', 'settings.tools.0.url', { tools: [tool('http://169.254.169.254/')] }],
    [
      'a destination that is blocked',
      'settings.tools.0.destinations.1.to_number',
      transferringTo('+12025550142', '+19005550142'),
    ],
    ['a destination without a rate', 'settings.tools.0.destinations.0.to_number', transferringTo('+4930123456')],
    ['an unknown secret', 'settings.tools.0.headers.X-Key', sending('{{secret.CRM_TOKEN}} {{secret.NOPE}}')],
    ['an unknown credential', 'settings.llm.credential', { llm: { ...cascade.llm, credential: 'other' } }],
    [
      'a credential of another provider',
      'settings.stt.credential',
      { stt: { provider: 'deepgram', credential: 'main' } },
    ],
    [
      'a credential of a fallback',
      'settings.llm.fallbacks.0.credential',
      { llm: { ...cascade.llm, fallbacks: [{ provider: 'anthropic', model: 'claude', credential: 'main' }] } },
    ],
    [
      'the credential of the analysis',
      'settings.analysis.llm.credential',
      { analysis: { summary: {}, llm: { provider: 'google', model: 'gemini', credential: 'none' } } },
    ],
  ])('for %s', async (_what, param, changes) => {
    expect(await problemsOf(changes)).toEqual([{ param, message: expect.any(String) }]);
  });
});
