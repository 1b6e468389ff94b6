import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { createSpeechSynthesizer } from '@outdial/agents';
import type { EndedCall } from '@outdial/calls';
import { trunkOf } from '@outdial/calls/testing';
import {
  agentSettingsSchema,
  micros,
  type AgentId,
  type CallId,
  type Component,
  type Provider,
  type UsageUnit,
} from '@outdial/contracts';
import { invariant, systemClock } from '@outdial/kernel';
import {
  createAdministration,
  createCallReader,
  createCandidateReader,
  createCredentialDirectory,
} from '@outdial/persistence';
import { CALLEE_VOICE, createVoiceClips, interjects, TEST_NUMBERS, VOICES_FOLDER } from '@outdial/simulated-network';
import type { ProviderLedger } from '@outdial/simulated-providers';
import { claimRtpPorts } from '@outdial/testkit';
import { startChildCallee } from '../child-callee.ts';
import { startChildWorker } from '../child-worker.ts';
import { openStage } from '../stage.ts';
import type { WorkerTimings } from '../../src/settings/timings.ts';
import { readRecording } from '../recording.ts';
import { providersOf, settingsOf, TEXTS, type Scenario } from './scenario.ts';
import { startSimulatedProvider } from './simulated-provider.ts';

const UNITS: readonly (readonly [Component, UsageUnit, (readonly Provider[])?])[] = [
  ['realtime', 'output_audio_token', ['openai', 'azure', 'google']],
  ['realtime', 'second', ['xai', 'openai_live']],
  ['stt', 'second', ['openai', 'azure', 'deepgram']],
  ['llm', 'input_text_token', ['openai', 'openai_live']],
  ['llm', 'output_text_token', ['openai', 'openai_live']],
  ['tts', 'character'],
];

/** A line of the callee's journal. */
interface JournalLine {
  readonly to: string;
  readonly event: string;
  readonly by?: string;
  readonly detail?: string;
}

/** What came of a call, with what its providers would bill. */
export interface Conducted<S> {
  readonly scenario: S;
  readonly call: EndedCall;
  readonly events: NonNullable<Awaited<ReturnType<ReturnType<typeof createCallReader>['events']>>>;
  readonly ledger: ProviderLedger;
  readonly recording: () => Promise<ReturnType<typeof readRecording>>;
}

interface Prepared<S> {
  readonly scenario: S;
  readonly agentId: AgentId;
  readonly ledger: ProviderLedger;
}

const CALLS_AT_ONCE = 4;

/** A worker over SIP, the telephones of the scenarios, and a provider of models for each of them. */
export async function openModelNetwork<S extends Scenario>(
  scenarios: readonly S[],
  {
    timings,
    channels = 100,
  }: {
    readonly timings?: WorkerTimings;
    /** Of the trunk to the callees, which comes first: what it has no channel for goes to the next one. */
    readonly channels?: number;
  } = {},
) {
  const secretKey = randomBytes(32);
  const speech = createSpeechSynthesizer({ clock: systemClock });
  const sentences = await calleeSentences();
  const tools = await startTools();
  const stage = await openStage({
    credentials: (database) => createCredentialDirectory(createCandidateReader(database), systemClock),
  });
  const numberOf = (scenario: S) => `+120255501${String(scenarios.indexOf(scenario)).padStart(2, '0')}`;
  const table = Object.fromEntries(scenarios.map((scenario) => [numberOf(scenario), scenario.persona]));
  const journal = join(stage.dataDir, 'callee.jsonl');
  const callee = await startChildCallee({
    OUTDIAL_CALLEE_TABLE: JSON.stringify(table),
    OUTDIAL_CALLEE_JOURNAL: journal,
    // The BYE of a call whose worker died comes from another worker.
    OUTDIAL_CALLEE_NO_AUDIO_SECONDS: '0',
  });
  const { agents, credentialsOf, modelRates, trunks } = createAdministration(stage.database, { actor: 'test' });
  await trunks.add({
    ...trunkOf({ name: 'callee', uri: callee.uri, channels, callsPerSecond: 100, priority: 1, transfers: 'numbers' }),
    credentials: null,
  });
  const priceMicrosPerMillion = micros(1_000_000);
  const rates = UNITS.flatMap(([component, unit, providers = ['openai', 'elevenlabs']]) =>
    providers.map((provider) => ({
      component,
      provider,
      model: '*',
      unit,
      priceMicrosPerMillion,
      estimateMicrosPerMinute: micros(1_000),
    })),
  );
  await modelRates.import({ currency: 'USD', rates });
  const ports = await claimRtpPorts();
  const environment = stage.environment({
    OUTDIAL_CARRIER: 'sip',
    SIP_PORT: '0',
    SIP_RTP_PORTS: ports.range,
    OUTDIAL_SECRET_KEY: secretKey.toString('hex'),
    OUTDIAL_EGRESS_ALLOW: '127.0.0.0/8',
    OUTDIAL_SIMULATED_SPEED: '1',
  });
  let worker = startChildWorker(environment, timings);
  await worker.said('taking calls');
  const closers: (() => Promise<void>)[] = [];

  const speak = (text: string) => speech.synthesize({ text, voice: 'rms' });

  await Promise.all(TEXTS.map(speak));

  /** The provider and the agent of a scenario. */
  async function prepare(scenario: S): Promise<Prepared<S>> {
    const { script, timings = {} } = scenario;
    // While calls are conducted, the machine is not to be busy with voices.
    for (const { say } of [script.opening, ...script.rules, script.otherwise]) if (say !== undefined) await speak(say);
    const provider = await startSimulatedProvider({ script, sentences, speak, timings: { liveSpeed: 1, ...timings } });
    closers.push(() => provider.close());
    const name = `scenario-${scenarios.indexOf(scenario)}`;
    const apiKey = 'sk-simulated-canary-4711';
    for (const [known, path] of providersOf(scenario)) {
      const baseUrl = `${provider.address}${path}`;
      const credential = { name: `${name}-${known}`, apiKey, baseUrl, region: null, secretKey };
      await credentialsOf(null).create({ provider: known, ...credential });
    }
    const settings = agentSettingsSchema.parse(settingsOf(scenario, { credential: name, toolsUrl: tools.address }));
    const { id: agentId } = await agents.create({ accountId: stage.accountId, settings });
    return { scenario, agentId, ledger: provider.ledger };
  }

  const place = ({ scenario, agentId }: Prepared<S>): Promise<CallId> =>
    stage.place(numberOf(scenario), { agentId, name: 'Anna', maxDurationSeconds: 60 });

  async function conduct(prepared: Prepared<S>): Promise<Conducted<S>> {
    const { scenario, ledger } = prepared;
    const call = await stage.untilEnded(await place(prepared));
    const events = await createCallReader(stage.database).events(stage.accountId, call.id);
    invariant(events, 'the call has a timeline');
    const recording = async () =>
      readRecording(await readFile(join(stage.dataDir, 'recordings', call.id.slice(-2), `${call.id}.wav`)));
    return { scenario, call, events, ledger, recording };
  }

  /** All scenarios, some at a time: a machine that is too busy loses words. */
  async function conductAll(): Promise<readonly Conducted<S>[]> {
    const prepared: Prepared<S>[] = [];
    for (const scenario of scenarios) prepared.push(await prepare(scenario));
    const results: Conducted<S>[] = [];
    // The model thread starts with the first call.
    const [first] = prepared;
    if (first !== undefined) await conduct(first);
    async function conductNext(): Promise<void> {
      for (let next = prepared.shift(); next !== undefined; next = prepared.shift()) results.push(await conduct(next));
    }
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, conductNext));
    return results;
  }

  return {
    stage,
    conductAll,
    /** Resolves once the call is queued. */
    begin: async (scenario: S): Promise<CallId> => place(await prepare(scenario)),
    /** The worker dies, and another one starts. */
    async replaceWorker(): Promise<void> {
      worker.signal('SIGKILL');
      await worker.exited();
      worker = startChildWorker(environment, timings);
      await worker.said('taking calls');
    },
    /** What happened to a call at its callee, in order. */
    async seenByCallee(scenario: S): Promise<readonly JournalLine[]> {
      const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
      const all: readonly JournalLine[] = lines.map((line) => JSON.parse(line));
      return all.filter(({ to }) => to === numberOf(scenario));
    },
    async close() {
      worker.signal('SIGTERM');
      await worker.exited();
      for (const close of closers) await close();
      await callee.close();
      await ports.release();
      await stage.close();
      await end(tools.server);
      await speech.close();
    },
  };
}

/** Every sentence of a simulated callee, as its voice says it. */
async function calleeSentences() {
  const clips = createVoiceClips(VOICES_FOLDER);
  const sounds = [...TEST_NUMBERS.values(), interjects].flatMap((persona) => persona.sounds);
  const texts = [...new Set(sounds.flatMap((sound) => (sound.kind === 'speech' ? [sound.text] : [])))];
  return Promise.all(
    texts.map(async (text) => ({ text, samples: await clips.synthesize({ text, voice: CALLEE_VOICE }) })),
  );
}

/** HTTP tools: one answers, one is broken, one never answers. */
async function startTools(): Promise<{ readonly address: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/slots') === true) response.end(JSON.stringify({ slots: ['9:00'] }));
    if (request.url?.startsWith('/broken') === true) response.writeHead(503).end('down');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { address: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, server };
}

async function end(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
