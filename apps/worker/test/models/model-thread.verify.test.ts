import { randomUUID } from 'node:crypto';
import { Worker, type MessagePort } from 'node:worker_threads';
import { createSpeechSynthesizer, type FromModelThread, type ToModelThread } from '@outdial/agents';
import { accountIdSchema, agentSettingsSchema, callIdSchema, type CallId } from '@outdial/contracts';
import { createLogger, systemClock } from '@outdial/kernel';
import { serviceArgs } from '@outdial/testkit';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { StartWorker } from '../../src/model-thread/running-thread.ts';
import { createModelThread } from '../../src/model-thread/start-model-thread.ts';
import { NO_CALL_MODELS } from '../no-call-models.ts';
import { conductedAgent, FAMILIES, type Family } from './conducted-agent.ts';
import { openConductedCall, openModelStage } from './conducted-call.ts';
import { startSimulatedProvider } from './simulated-provider.ts';

const HELLO = 'Hello?';
const BYE = 'That is fine, thank you.';
const LONG = 'You could come on Tuesday at nine, or on Wednesday at half past ten, or on any other day of next week.';
const SCRIPT = {
  opening: { say: 'Hello.' },
  rules: [{ when: /thank you/, say: 'Thank you, goodbye.', tool: { name: 'end_call', arguments: { reason: 'done' } } }],
  otherwise: { say: LONG },
};
/** Agents give a thread up that is silent for two seconds. */
const FAULTS = {
  dies: { kind: 'die' },
  blocks: { kind: 'block', forMs: 60_000 },
  pauses: { kind: 'block', forMs: 3_000 },
} as const;
const THREAD_OPTIONS = {
  calls: NO_CALL_MODELS,
  clock: systemClock,
  logger: createLogger({ name: 'test', level: 'silent' }),
  egressAllow: '127.0.0.1',
  egressProxy: null,
  logLevel: 'silent',
  modelLog: 'off',
} as const;
/** Of the call, whose frames pass faster than life. */
const PATIENCE_MS = 120_000;

const speech = createSpeechSynthesizer({ clock: systemClock });
const speak = (text: string) => speech.synthesize({ text, voice: 'rms' });
const callee = (text: string) => speech.synthesize({ text, voice: 'slt' });
afterAll(() => speech.close());
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** The providers, and a model thread that faults strike. */
async function openProvider() {
  const sentences = await Promise.all([HELLO, BYE].map(async (text) => ({ text, samples: await callee(text) })));
  await Promise.all([LONG, 'Thank you, goodbye.'].map(speak));
  const provider = await startSimulatedProvider({ script: SCRIPT, sentences, speak });
  closers.push(() => provider.close());
  const workers: Worker[] = [];
  const startWorker: StartWorker = (workerData) => {
    const worker = startFaultyWorker(workerData);
    workers.push(worker);
    return worker;
  };
  return { provider, workers, startWorker };
}

async function setUp() {
  const { provider, workers, startWorker } = await openProvider();
  const stage = openModelStage({ startWorker });
  closers.push(() => stage.close());
  const strike = (fault: keyof typeof FAULTS) => workers.at(-1)?.postMessage(FAULTS[fault]);
  return { provider, stage, strike, starts: () => workers.length };
}

const startFaultyWorker: StartWorker = (workerData) =>
  new Worker(new URL('faulty-thread.mjs', import.meta.url), {
    workerData,
    transferList: [workerData.port],
    argv: [...serviceArgs('apps/worker/src/model-thread/model-thread.ts')],
    execArgv: [],
  });

async function talk({ provider, stage }: Pick<Awaited<ReturnType<typeof setUp>>, 'provider' | 'stage'>, of: Family) {
  const call = await openConductedCall(stage, { ...conductedAgent(of, provider), speech });
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  return call;
}

const textsOf = async (call: Awaited<ReturnType<typeof talk>>) =>
  (await call.agent.finish()).transcript.filter(({ role }) => role === 'agent').map(({ text }) => text);

describe.each(FAMILIES)('of a %s mind, a model thread that', (family) => {
  test.each(['dies', 'blocks', 'pauses'] as const)(
    '%s ends its call once what has arrived was played, and later calls are conducted',
    async (fault) => {
      const set = await setUp();
      const call = await talk(set, family);
      // The provider does not know this sentence: it gets the long answer, which arrives faster than it is played.
      await call.say(await callee('Something else entirely.'));
      await call.waitUntil(() => call.itemsOver() === 2, PATIENCE_MS);
      set.strike(fault);
      await call.waitUntil(() => call.hungUp() !== undefined, PATIENCE_MS);
      expect(call.hungUp()).toBe('provider_unavailable');
      expect(call.events).toContainEqual(
        expect.objectContaining({
          kind: 'provider_failed',
          component: family === 'realtime' ? 'realtime' : 'llm',
          failure: 'model_thread_lost',
        }),
      );
      expect(await textsOf(call)).toEqual([
        'Good morning Anna, this is the dental practice.',
        LONG,
        expect.stringContaining('technical problem'),
      ]);
      set.stage.thread.forgetCall(call.callId);

      const next = await talk(set, family);
      await next.say(await callee(BYE));
      await next.waitUntil(() => next.hungUp() !== undefined, PATIENCE_MS);
      expect(next.hungUp()).toBe('agent_hangup');
      if (fault !== 'pauses') expect(set.starts()).toBe(2);
    },
  );
});

test('a model thread that dies between two calls is started again before the next one', async () => {
  const set = await setUp();
  const call = await talk(set, 'realtime');
  await call.agent.finish();
  set.stage.thread.forgetCall(call.callId);
  set.strike('dies');
  await expect.poll(set.starts, { timeout: PATIENCE_MS }).toBe(2);
  const next = await talk(set, 'realtime');
  await next.say(await callee(BYE));
  await next.waitUntil(() => next.hungUp() !== undefined, PATIENCE_MS);
  expect(next.hungUp()).toBe('agent_hangup');
  expect(set.starts()).toBe(2);
});

test('a call whose agent had not come yet is opened by the next thread; one whose agent has given up is not', async () => {
  const { provider, workers, startWorker } = await openProvider();
  const bridges: MessagePort[] = [];
  const thread = createModelThread({ ...THREAD_OPTIONS, startWorker, onBridge: (bridge) => void bridges.push(bridge) });
  closers.push(() => thread.close());
  const { settings, models } = conductedAgent('realtime', provider);
  const [given, early] = [randomUUID(), randomUUID()].map((id) => callIdSchema.parse(id));
  if (given === undefined || early === undefined) throw new Error('there are two calls');
  const conducted = agentSettingsSchema.parse(settings);
  if (conducted.driver === 'scripted') throw new Error('not conducted');
  const accountId = accountIdSchema.parse(randomUUID());
  const call = { accountId, settings: conducted, variables: { name: 'Anna' }, models, secrets: new Map() };
  thread.openCall({ callId: given, ...call });
  await attach(bridges[0], given);
  thread.openCall({ callId: early, ...call });
  await expect.poll(() => provider.connections()).toBe(2);
  workers.at(-1)?.postMessage(FAULTS.dies);
  await expect.poll(() => bridges.length).toBe(2);
  await attach(bridges[1], early);
  expect(provider.connections()).toBe(3);
});

/** Resolves once the mind of the call is ready. */
async function attach(bridge: MessagePort | undefined, callId: CallId): Promise<void> {
  if (bridge === undefined) throw new Error('there is a bridge');
  const isReady = new Promise<void>((resolve) => {
    bridge.on('message', (message: FromModelThread) => {
      if (message.kind === 'call' && message.callId === callId && message.message.kind === 'ready') resolve();
    });
  });
  bridge.postMessage({ kind: 'attach', callId } satisfies ToModelThread, []);
  await isReady;
}
