import { randomBytes } from 'node:crypto';
import { createSpeechSynthesizer } from '@outdial/agents';
import { breakersOf, type Breakers } from '@outdial/calls';
import { agentSettingsSchema, micros, type BreakerName, type CredentialId } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import {
  createAdministration,
  createCandidateReader,
  createCredentialDirectory,
  type CredentialAdministration,
} from '@outdial/persistence';
import { createBreakers } from '@outdial/reservations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { QUICK_LOOPS } from '../quick-timings.ts';
import { openStage, type Stage } from '../stage.ts';
import { startSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';

const ANSWERS = '+12025550100';
/** Says hello to an agent without a model, and hangs up. */
const QUICK = '+12025550105';
const MODEL = 'gpt-realtime';
const GOODBYE = { say: 'Goodbye.', tool: { name: 'end_call', arguments: { reason: 'done' } } };

const speech = createSpeechSynthesizer({ clock: systemClock });
let stage: Stage;
let provider: SimulatedProvider;
let breakers: Breakers;
let breaker: BreakerName;
let credential: { readonly id: CredentialId; readonly of: CredentialAdministration };
const secretKey = randomBytes(32);

beforeAll(async () => {
  provider = await startSimulatedProvider({
    script: { opening: GOODBYE, rules: [], otherwise: GOODBYE },
    sentences: [],
    speak: (text) => speech.synthesize({ text, voice: 'rms' }),
  });
  stage = await openStage({
    credentials: (database) => createCredentialDirectory(createCandidateReader(database), systemClock),
  });
  breakers = createBreakers({ redis: stage.redis });
  const { agents, credentialsOf, modelRates } = createAdministration(stage.database, { actor: 'test' });
  const { id: credentialId } = await credentialsOf(null).create({
    provider: 'openai',
    name: 'shared',
    apiKey: 'sk-simulated-1',
    baseUrl: `${provider.address}/v1`,
    region: null,
    secretKey,
  });
  credential = { id: credentialId, of: credentialsOf(null) };
  const rate = { priceMicrosPerMillion: micros(1_000_000), estimateMicrosPerMinute: micros(1_000) };
  const rates = [
    { component: 'realtime', provider: 'openai', model: '*', unit: 'output_audio_token', ...rate },
    { component: 'stt', provider: 'openai', model: '*', unit: 'input_audio_token', ...rate },
  ] as const;
  await modelRates.import({ currency: 'USD', rates });
  await agents.update({ agentId: stage.agentId, settings: settingsOf(MODEL) });
  const call = { accountId: stage.accountId, agentId: stage.agentId, agentVersion: 1 };
  const model = { component: 'realtime', provider: 'openai', model: MODEL, credentialId, isOwn: false } as const;
  breaker = breakersOf(model, call).model;
  await stage.startWorker(
    {
      OUTDIAL_SECRET_KEY: secretKey.toString('hex'),
      OUTDIAL_EGRESS_ALLOW: '127.0.0.0/8',
      OUTDIAL_SIMULATED_SPEED: '5',
    },
    QUICK_LOOPS,
  );
  // The thread of the models starts with its first call, which may not wait for as long on a busy machine.
  await stage.untilEnded(await stage.place(ANSWERS, { maxDurationSeconds: 60 }));
});
afterAll(async () => {
  await stage.close();
  await provider.close();
  await speech.close();
});

const settingsOf = (model: string) =>
  agentSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You call patients of a dental practice.',
    model: { provider: 'openai', model, credential: 'shared' },
    tools: [{ type: 'end_call', name: 'end_call', description: 'Ends the call.' }],
  });

/** As faults of two accounts open it. */
async function open(forMs: number): Promise<void> {
  const opening = { kind: 'open', forMs, isChecked: false, owner: null } as const;
  expect(await breakers.change(breaker, 0, opening)).toBe('changed');
}
const states = () => breakers.open().then((all) => all.map(({ forMs }) => (forMs > 0 ? 'open' : 'half-open')));

/** The worker has had time for more than the calls that wait: it has dialed one that came after them. */
async function anotherCallIsOver(): Promise<void> {
  const callId = await stage.place(QUICK, { patient: true });
  expect((await stage.untilEnded(callId)).endedReason).toBe('callee_hangup');
}

test('calls that are accepted while a breaker is open wait, and are dialed once it lets one through and closes', async () => {
  const before = provider.connections();
  await open(8_000);
  const callIds = await Promise.all([1, 2].map(() => stage.place(ANSWERS, { maxDurationSeconds: 60 })));
  await anotherCallIsOver();
  const waiting = await Promise.all(callIds.map((callId) => stage.find(callId)));
  expect(await states()).toEqual(['open']);
  expect(waiting.map(({ status }) => status)).toEqual(['queued', 'queued']);
  expect(provider.connections()).toBe(before);

  const ended = await Promise.all(callIds.map((callId) => stage.untilEnded(callId)));
  expect(ended.map(({ endedReason }) => endedReason)).toEqual(['agent_hangup', 'agent_hangup']);
  expect(await states()).toEqual([]);
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

const checkResult = async () => (await credential.of.list()).credentials[0]?.checkResult;

test('a rejected key ends the call that meets it before it is answered; others wait, and are dialed once it is rotated', async () => {
  await credential.of.rotate(credential.id, { apiKey: 'sk-revoked', secretKey });
  const first = await stage.untilEnded(await stage.place(ANSWERS, { maxDurationSeconds: 60 }));
  expect(first).toMatchObject({ endedReason: 'provider_rejected', answeredAtMs: null, costMicros: 0n });
  await expect.poll(checkResult).toBe('rejected');

  const callId = await stage.place(ANSWERS, { maxDurationSeconds: 60 });
  await anotherCallIsOver();
  expect((await stage.find(callId)).status).toBe('queued');
  // A call that is refused blames no agent: its next call is not held back.
  expect(await states()).toEqual([]);
  await credential.of.rotate(credential.id, { apiKey: 'sk-simulated-2', secretKey });
  expect(await stage.untilEnded(callId)).toMatchObject({ endedReason: 'agent_hangup' });
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

test('an agent that is refused for its model closes the operator’s credential to no other', async () => {
  const { agents } = createAdministration(stage.database, { actor: 'test' });
  // Refused with the status of a rejected key; the key itself is accepted.
  const { id: agentId } = await agents.create({ accountId: stage.accountId, settings: settingsOf('401') });
  const refused = await stage.untilEnded(await stage.place(ANSWERS, { agentId }));
  expect(refused.endedReason).toBe('provider_rejected');
  const next = await stage.untilEnded(await stage.place(ANSWERS, { maxDurationSeconds: 60 }));
  expect(next.endedReason).toBe('agent_hangup');
  expect(await checkResult()).not.toBe('rejected');
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

test('a call that waits for a breaker until it expires ends queue_expired, without a charge, a slot or funds', async () => {
  await open(600_000);
  const callId = await stage.place(ANSWERS);
  await anotherCallIsOver();
  expect((await stage.find(callId)).status).toBe('queued');
  await stage.database.side.$executeRaw`UPDATE calls SET expires_at = clock_timestamp() WHERE id = ${callId}::uuid`;
  const call = await stage.untilEnded(callId);
  expect(call).toMatchObject({ endedReason: 'queue_expired', costMicros: 0n });
  expect(call.endedAtMs).toBe(call.startedAtMs);
  expect(await states()).toEqual(['open']);
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});
