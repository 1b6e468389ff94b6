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
import { expect, vi } from 'vitest';
import { AT_REST, audit, type Audit } from '../audit.ts';
import { startChildCallee } from '../child-callee.ts';
import { startChildWorker } from '../child-worker.ts';
import { openStage } from '../stage.ts';
import type { WorkerTimings } from '../../src/settings/timings.ts';
import { readRecording } from '../recording.ts';
import { providersOf, settingsOf, TEXTS, type Scenario } from './scenario.ts';
import { startSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';

/** What has a price: a micro each. */
export const UNITS: readonly (readonly [Component, UsageUnit, (readonly Provider[])?])[] = [
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

interface Leftovers extends Audit {
  /** Calls that have lines at credentials. */
  readonly linesHeld: number;
  /** Sockets that are open at providers, and requests whose answer is not complete. */
  readonly underWay: number;
}

/** Once all calls have ended. */
const NOTHING_LEFT: Leftovers = { ...AT_REST, linesHeld: 0, underWay: 0 };

/** A busy machine is late. */
const LEFT_WITHIN = { timeout: 60_000, interval: 100 };

interface Prepared<S> {
  readonly scenario: S;
  readonly agentId: AgentId;
  readonly ledger: ProviderLedger;
}

/** A machine that is too busy loses words. */
const CALLS_AT_ONCE = 4;
/** The account's own number ends the first hundred. */
const OWN_PLACE = 99;

/** A worker over SIP, the telephones of the scenarios, and a provider of models for each of them. */
export async function openModelNetwork<S extends Scenario>(
  scenarios: readonly S[],
  {
    timings,
    channels = 100,
    callsAtOnce = CALLS_AT_ONCE,
  }: {
    readonly timings?: WorkerTimings;
    /** Of those in which the callee speaks. */
    readonly callsAtOnce?: number;
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
  const numberOf = (scenario: S) => {
    const place = scenarios.indexOf(scenario);
    return `+1202555${String(place < OWN_PLACE ? 100 + place : 101 + place).padStart(4, '0')}`;
  };
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
  const providers: SimulatedProvider[] = [];

  const speak = (text: string) => speech.synthesize({ text, voice: 'rms' });

  await Promise.all(TEXTS.map(speak));

  /** The provider and the agent of a scenario. */
  async function prepare(scenario: S, of = ''): Promise<Prepared<S>> {
    const { script, timings = {} } = scenario;
    // While calls are conducted, the machine is not to be busy with voices.
    for (const { say } of [script.opening, ...script.rules, script.otherwise]) if (say !== undefined) await speak(say);
    const provider = await startSimulatedProvider({ script, sentences, speak, timings: { liveSpeed: 1, ...timings } });
    providers.push(provider);
    const name = `scenario-${scenarios.indexOf(scenario)}${of}`;
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
    stage.place(numberOf(scenario), {
      agentId,
      name: 'Anna',
      maxDurationSeconds: 60,
      ...(scenario.ringTimeoutSeconds === undefined ? {} : { ringTimeoutSeconds: scenario.ringTimeoutSeconds }),
    });

  async function conduct(prepared: Prepared<S>): Promise<Conducted<S>> {
    const { scenario, ledger } = prepared;
    const call = await stage.untilEnded(await place(prepared));
    const events = await createCallReader(stage.database).events(stage.accountId, call.id);
    invariant(events, 'the call has a timeline');
    const recording = async () =>
      readRecording(await readFile(join(stage.dataDir, 'recordings', call.id.slice(-2), `${call.id}.wav`)));
    return { scenario, call, events, ledger, recording };
  }

  /** All scenarios: the quiet ones together, and some of the others at a time. */
  async function conductAll(): Promise<readonly Conducted<S>[]> {
    const prepared: Prepared<S>[] = [];
    for (const scenario of scenarios) prepared.push(await prepare(scenario));
    // The model thread starts with the first call.
    const [first] = scenarios;
    if (first !== undefined) await conduct(await prepare(first, '-before'));
    const quiet = prepared.filter(({ scenario }) => scenario.isQuiet === true);
    const waiting = prepared.filter(({ scenario }) => scenario.isQuiet !== true);
    const results: Conducted<S>[] = [];
    async function conductNext(): Promise<void> {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await conduct(next));
    }
    const conducting = Promise.all(Array.from({ length: callsAtOnce }, conductNext));
    results.push(...(await Promise.all(quiet.map(conduct))));
    await conducting;
    return results;
  }

  async function killWorker(): Promise<void> {
    worker.signal('SIGKILL');
    await worker.exited();
  }

  async function startWorker(): Promise<void> {
    worker = startChildWorker(environment, timings);
    await worker.said('taking calls');
  }

  /** What the calls have left behind. */
  async function leftovers(): Promise<Leftovers> {
    const [records, holds] = await Promise.all(
      ['lines', 'holds'].map((name) => stage.redis.hkeys(`{outdial}:${name}`)),
    );
    return {
      ...(await audit(stage)),
      linesHeld: (records ?? []).filter((callId) => holds?.includes(callId)).length,
      underWay: providers.reduce((sum, provider) => sum + provider.underWay(), 0),
    };
  }

  async function closeAll(): Promise<void> {
    worker.signal('SIGTERM');
    await worker.exited();
    for (const provider of providers) await provider.close();
    await callee.close();
    await ports.release();
    await stage.close();
    await end(tools.server);
    await speech.close();
  }

  return {
    stage,
    conductAll,
    /** Resolves once the call is queued. */
    begin: async (scenario: S): Promise<CallId> => place(await prepare(scenario)),
    killWorker,
    startWorker,
    /** The worker dies, and another one starts. */
    async replaceWorker(): Promise<void> {
      await killWorker();
      await startWorker();
    },
    /** What happened to a call at its callee, in order. */
    async seenByCallee(scenario: S): Promise<readonly JournalLine[]> {
      const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
      const all: readonly JournalLine[] = lines.map((line) => JSON.parse(line));
      return all.filter(({ to }) => to === numberOf(scenario));
    },
    /** @throws if the calls have left something behind. */
    async close() {
      try {
        await vi.waitFor(async () => expect(await leftovers()).toEqual(NOTHING_LEFT), LEFT_WITHIN);
      } finally {
        await closeAll();
      }
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
