import { randomUUID } from 'node:crypto';
import type { CredentialOpener } from '@outdial/calls';
import {
  accountIdSchema,
  agentIdSchema,
  agentSettingsSchema,
  callIdSchema,
  reservationIdSchema,
} from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { ManualClock } from '@outdial/testkit/async';
import { expect, test } from 'vitest';
import { createConductedConversations } from './conducted-conversations.ts';
import type { CallToOpen } from './messages.ts';

const SETTINGS = agentSettingsSchema.parse({
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You call patients of a dental practice.',
  model: { provider: 'openai', model: 'gpt-realtime' },
});
const MODEL = {
  component: 'realtime',
  provider: 'openai',
  model: 'gpt-realtime',
  credentialId: 'c1',
  isOwn: false,
  isFallback: false,
} as const;
const nothing = () => undefined;
const busy = () => Promise.reject(new Error('timeout exceeded when trying to connect'));

/** A call that models conduct, in a worker whose store is as the test says. */
function begin(open: CredentialOpener['open']) {
  const clock = new ManualClock();
  const opened: CallToOpen[] = [];
  const refused: string[] = [];
  let tries = 0;
  const conversation = createConductedConversations({
    conversations: {
      open: () => ({
        listen: nothing,
        answered: nothing,
        setOnHold: nothing,
        transferFailed: nothing,
        introduce: nothing,
        finish: () => Promise.reject(new Error('nobody reads the result')),
      }),
    },
    models: {
      openCall: (call) => void opened.push(call),
      refuseCall: (_id, failure, reason) => void refused.push(`${failure} ${reason}`),
      forgetCall: nothing,
    },
    calls: { add: nothing, remove: nothing, openBreakers: async () => [] },
    credentials: {
      open(...input) {
        tries += 1;
        return open(...input);
      },
      openSecrets: async () => new Map(),
    },
    clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  }).open({
    callId: callIdSchema.parse(randomUUID()),
    leg: { media: null, listen: nothing, hangUp: nothing, transfer: nothing },
    settings: SETTINGS,
    variables: {},
    conducted: {
      accountId: accountIdSchema.parse(randomUUID()),
      agentId: agentIdSchema.parse(randomUUID()),
      agentVersion: 1,
      reservationId: reservationIdSchema.parse(randomUUID()),
      epoch: 1,
      models: [MODEL],
    },
  });
  return { clock, conversation, opened, refused, tries: () => tries };
}

test('a store that is busy for a while delays the mind of a call, and does not end it', async () => {
  let isBusy = true;
  const credential = {
    credentialId: 'c1',
    provider: 'openai',
    apiKey: 'sk-canary',
    baseUrl: 'https://models.example.com',
  } as const;
  const { clock, opened, refused } = begin(() => (isBusy ? busy() : Promise.resolve([credential])));
  await clock.turnGently(9_000, 500);
  isBusy = false;
  await clock.turnUntil(() => opened.length > 0, 1_000);
  expect(opened[0]?.models).toMatchObject([{ model: 'gpt-realtime', apiKey: 'sk-canary' }]);
  expect(refused).toEqual([]);
});

test('a store that stays away ends the call for a passing fault, which is tried again', async () => {
  const { clock, opened, refused } = begin(busy);
  await clock.turnGently(10_000, 500);
  expect(refused).toEqual(['credentials_not_opened provider_unavailable']);
  expect(opened).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
});

test('a call that is over asks no more', async () => {
  const { clock, conversation, refused, tries } = begin(busy);
  await clock.turnGently(500, 500);
  await conversation.finish().catch(nothing);
  const asked = tries();
  await clock.turnGently(10_000, 500);
  expect(tries()).toBeLessThanOrEqual(asked + 1);
  expect(refused).toEqual([]);
});
