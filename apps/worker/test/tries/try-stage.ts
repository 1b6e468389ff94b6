import { randomUUID } from 'node:crypto';
import { createSpeechSynthesizer } from '@outdial/agents';
import { rebuildGate, type Gate, type LineGate } from '@outdial/calls';
import {
  agentSettingsSchema,
  micros,
  reservationIdSchema,
  tryEventSchema,
  tryIdSchema,
  type AccountId,
  type AgentId,
  type TryEvent,
  type Component,
  type TryId,
  type TryMedium,
} from '@outdial/contracts';
import {
  createEgressClient,
  createEgressFetch,
  createEgressSockets,
  envEgressAllow,
  type EgressScope,
} from '@outdial/egress';
import { createLogger, invariant, systemClock } from '@outdial/kernel';
import { createHttpToolRunner, createSockets } from '@outdial/minds';
import {
  createDatabase,
  createLineStore,
  createReconcileStore,
  createTryStore,
  type Database,
  type TryJob,
  type TryStore,
} from '@outdial/persistence';
import { seedAccount } from '@outdial/persistence/seeding';
import { connectForCommands, connectForWaiting, createAgentEnd, createTryChannel } from '@outdial/queue';
import type { Script } from '@outdial/simulated-providers';
import { createFundsGate, createGate, createLineGate } from '@outdial/reservations';
import { createMediaClock } from '@outdial/telephony';
import { testStores } from '@outdial/testkit';
import { Redis } from 'ioredis';
import { createMinds } from '../../src/model-thread/open-mind.ts';
import { createTextMinds } from '../../src/tries/open-text-mind.ts';
import { TRY_TIMINGS, type TryDeps, type TryTimings } from '../../src/tries/ports.ts';
import { endOverdueTries, runTry } from '../../src/tries/run-try.ts';
import { takePlace } from '../../src/tries/take-place.ts';
import { startSimulatedProvider } from '../models/simulated-provider.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const clock = systemClock;
const KEY = 'sk-simulated-canary-4711';
const SCRIPT = {
  opening: { say: 'Hello, this is the dental practice.' },
  rules: [
    { when: /9:00/, say: 'There is a slot at nine.' },
    { when: /Tuesday/, tool: { name: 'free_slots', arguments: { day: 'Tuesday' } } },
    { when: /number one/, tool: { name: 'press', arguments: { digits: '12' } } },
    { when: /stop calling/, tool: { name: 'opt_out', arguments: { reason: 'asked to stop' } } },
    { when: /bye/, say: 'Goodbye.', tool: { name: 'end_call', arguments: { reason: 'done' } } },
  ],
  otherwise: { say: 'Could you say that again?' },
};
/** Dear enough that one answer costs something: a dollar for a thousand tokens. */
export const PRICE_MICROS_PER_MILLION = 1_000_000_000;

export interface TryOptions {
  readonly accountId: AccountId;
  readonly agentId: AgentId;
  readonly isOwn?: boolean;
  readonly holdMicros?: bigint;
  readonly model?: string;
  readonly medium?: TryMedium;
}

export type TryStage = Awaited<ReturnType<typeof openTryStage>>;

/** Real stores and simulated providers, and workers as functions. */
export async function openTryStage({
  lines = 2,
  script = SCRIPT,
  sentences = [],
  speed = 1,
}: {
  readonly lines?: number;
  readonly script?: Script;
  /** What the ears of the providers know. */
  readonly sentences?: readonly string[];
  /** Of the media clock. */
  readonly speed?: number;
} = {}) {
  const stores = await testStores();
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: stores.databaseUrl, poolSize: 6, readPoolSize: 6, ...patience });
  const redis = new Redis(stores.redisUrl);
  const gate = createGate({ redis });
  const reconcileStore = createReconcileStore(database);
  const speech = createSpeechSynthesizer({ clock });
  const person = (text: string) => speech.synthesize({ text, voice: 'slt' });
  const provider = await startSimulatedProvider({
    script,
    sentences: await Promise.all(sentences.map(async (text) => ({ text, samples: await person(text) }))),
    speak: (text) =>
      sentences.length === 0 ? Promise.resolve(new Int16Array(160)) : speech.synthesize({ text, voice: 'rms' }),
  });
  const [soundSender, soundReceiver] = [connectForCommands(stores.redisUrl), connectForWaiting(stores.redisUrl)];
  const prefix = `{${randomUUID()}}`;
  const limits = { allowed: envEgressAllow.parse('127.0.0.1'), proxy: null };
  const egress = createEgressClient({ ...limits, clock });
  const streams = createEgressFetch({ ...limits, maxConnectionsPerOrigin: 8 });
  const store = createTryStore(database);
  const channel = createTryChannel({ redis, prefix });
  const lineGate: LineGate = createLineGate({ redis });
  const credentials: Credentials = { openai: randomUUID(), deepgram: randomUUID(), elevenlabs: randomUUID() };
  for (const [of, id] of Object.entries(credentials)) {
    await database.side.$executeRaw`
      INSERT INTO provider_credentials (id, provider, name, sealed, shown_suffix, max_concurrent_calls)
      VALUES (${id}::uuid, ${of}, ${`main ${of}`}, ${Buffer.from('sealed')}, '4711', ${lines})`;
  }
  const credentialId = credentials.openai;
  const rebuild = () =>
    rebuildGate({ gate, reconcileStore, queue: { add: async () => {}, missing: async () => [] }, logger });
  await rebuild();
  const connections = {
    openSocket: (scope: EgressScope) => createSockets({ clock, egress: createEgressSockets(limits), scope }),
    fetch: (scope: EgressScope) => streams.fetch(scope),
    clock,
  };
  const deps: TryDeps = {
    store,
    channel,
    gate,
    funds: createFundsGate({ redis }),
    limits: reconcileStore,
    lineGate,
    lineStore: createLineStore(database),
    opener: {
      open: async (_, ids) =>
        ids.map((id) => {
          const isOpenAi = id === credentials.openai;
          const baseUrl = isOpenAi ? `${provider.address}/v1` : provider.address;
          const of = id === credentials.deepgram ? 'deepgram' : 'elevenlabs';
          return { credentialId: id, provider: isOpenAi ? 'openai' : of, apiKey: KEY, baseUrl };
        }),
      openSecrets: async () => new Map(),
    },
    openMind: createTextMinds(connections),
    tools: createHttpToolRunner(egress),
    sound: {
      end: createAgentEnd({ sender: soundSender, receiver: soundReceiver, prefix }),
      openMind: createMinds(connections),
      mediaClock: createMediaClock({
        clock,
        speed,
        onError: (error) => logger.error({ err: error }, 'the media clock'),
      }),
      speech,
    },
    clock,
    logger,
    timings: TRY_TIMINGS,
  };
  const withTimings = (timings: Partial<TryTimings>): TryDeps => ({ ...deps, timings: { ...TRY_TIMINGS, ...timings } });
  const base = { provider, store, database, gate, lineGate, reconcileStore, rebuild };

  return {
    ...base,
    deps,
    egress,
    connections,
    credentialId,
    prefix,
    redisUrl: stores.redisUrl,
    person,
    async account(
      options: { readonly balanceMicros?: bigint; readonly capacity?: number; readonly settings?: object } = {},
    ) {
      const settings = agentSettingsSchema.parse({ ...settingsOf(provider.toolUrl), ...(options.settings ?? CASCADE) });
      const { balanceMicros = 100_000_000n, capacity = 100 } = options;
      return seedAccount(database, { balanceMicros, capacity, agents: [settings], number: null, rate: null });
    },
    begin: (options: TryOptions) => beginTry(store, credentials, options),
    run: (tryId: TryId, { timings = {}, stopping = new AbortController().signal } = {}) =>
      runTry(withTimings(timings), tryId, stopping),
    /** What a worker does before anything is said. */
    place: (job: TryJob) => takePlace(deps, job, new AbortController().signal),
    sweep: (timings: Partial<TryTimings> = {}) => endOverdueTries(withTimings(timings)),
    say: (tryId: TryId, text: string) => channel.send(tryId, JSON.stringify({ type: 'say', text })),
    end: (tryId: TryId) => channel.send(tryId, JSON.stringify({ type: 'end' })),
    events: async (tryId: TryId): Promise<readonly TryEvent[]> =>
      (await channel.reportedAfter(tryId, '0')).map(({ text }) => tryEventSchema.parse(JSON.parse(text))),
    books: (accountId: AccountId) => booksOf(database, accountId),
    holds: () => countHolds(gate),
    /** On all do-not-call lists. */
    suppressions: () => database.side.suppression.count(),
    async close() {
      await Promise.all([provider.close(), egress.close(), streams.close(), speech.close()]);
      for (const connection of [redis, soundSender, soundReceiver]) connection.disconnect();
      await database.close();
      await stores.close();
    },
  };
}

function settingsOf(toolUrl: string) {
  return {
    name: 'Appointment',
    instructions: 'You call patients of a dental practice.',
    first_message: 'Good morning {{name}}, this is the dental practice.',
    tools: [
      { type: 'http', name: 'free_slots', description: 'Finds free slots.', url: toolUrl },
      { type: 'press_digits', name: 'press', description: 'Presses keys.' },
    ],
  };
}

export const CASCADE = {
  driver: 'cascade',
  stt: { provider: 'deepgram' },
  llm: { provider: 'openai', model: 'gpt-simulated' },
  tts: { provider: 'elevenlabs', voice: 'simulatedvoice1' },
};
export const REALTIME = {
  driver: 'realtime',
  model: { provider: 'openai', model: 'gpt-realtime-2.1' },
};

type Credentials = Readonly<Record<'openai' | 'deepgram' | 'elevenlabs', string>>;
const TOKENS = ['input_text_token', 'cached_input_text_token', 'output_text_token'] as const;
const EARS = { component: 'stt', provider: 'deepgram', model: 'flux-general-en' } as const;
const VOICE = { component: 'tts', provider: 'elevenlabs', model: 'eleven_flash_v2_5' } as const;

async function beginTry(store: TryStore, credentials: Credentials, options: TryOptions): Promise<TryId> {
  const {
    accountId,
    agentId,
    isOwn = false,
    holdMicros = 10_000_000n,
    model = 'gpt-simulated',
    medium = 'text',
  } = options;
  const tryId = tryIdSchema.parse(randomUUID());
  const component: Component = model.includes('realtime') ? 'realtime' : 'llm';
  const mind = { component, provider: 'openai', model } as const;
  const used = component === 'llm' && medium === 'microphone' ? [EARS, mind, VOICE] : [mind];
  const begun = await store.begin({
    tryId,
    accountId,
    agentId,
    agentVersion: 1,
    medium,
    userId: null,
    driver: component === 'llm' ? 'cascade' : 'realtime',
    variables: { name: 'Anna' },
    models: used.map((of) => ({ ...of, credentialId: credentials[of.provider], isOwn, isFallback: false })),
    rates: isOwn
      ? []
      : TOKENS.map((unit) => ({ ...mind, unit, priceMicrosPerMillion: micros(PRICE_MICROS_PER_MILLION) })),
    holdMicros: micros(isOwn ? 0 : holdMicros),
    reservationId: reservationIdSchema.parse(randomUUID()),
  });
  invariant(begun.kind === 'begun', `the try begins, and is not ${begun.kind}`);
  return tryId;
}

async function booksOf({ side }: Database, accountId: AccountId) {
  const [row] = await side.$queryRaw<{ balance: bigint; ledger: bigint; charges: bigint[]; cost: bigint }[]>`
    SELECT w.balance_micros AS balance,
      (SELECT sum(e.amount_micros) FROM ledger_entries e WHERE e.account_id = w.account_id)::bigint AS ledger,
      ARRAY(SELECT e.amount_micros FROM ledger_entries e
            WHERE e.account_id = w.account_id AND e.kind = 'try_charge' ORDER BY e.id) AS charges,
      (SELECT COALESCE(sum(t.cost_micros), 0) FROM agent_tries t WHERE t.account_id = w.account_id)::bigint AS cost
    FROM wallets w WHERE w.account_id = ${accountId}::uuid`;
  invariant(row, 'the account has a wallet');
  return row;
}

async function countHolds(gate: Gate): Promise<number> {
  let count = 0;
  for await (const holds of gate.holds()) count += holds.length;
  return count;
}
