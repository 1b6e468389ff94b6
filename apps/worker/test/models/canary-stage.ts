import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSpeechSynthesizer } from '@outdial/agents';
import { agentSettingsSchema, micros, secretNameSchema, type Component, type UsageUnit } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { createAdministration, createCandidateReader, createCredentialDirectory } from '@outdial/persistence';
import { startChildWorker } from '../child-worker.ts';
import { openStage } from '../stage.ts';
import { startSimulatedProvider } from './simulated-provider.ts';

const random = () => randomBytes(16).toString('hex');
/** The simulated providers accept it. */
export const ACCEPTED = `sk-simulated-${random()}`;
/** They refuse it, and quote its beginning and its end as the real ones do. */
export const REFUSED = random();
export const SECRET = `crm-${random()}`;

type Family = 'realtime' | 'cascade';
const UNITS: readonly (readonly [Component, UsageUnit])[] = [
  ['realtime', 'output_audio_token'],
  ['stt', 'second'],
  ['llm', 'input_text_token'],
  ['llm', 'output_text_token'],
  ['tts', 'character'],
];
const SCRIPT = {
  opening: { say: 'Hello.' },
  rules: [{ when: /slots/, say: 'Goodbye.', tool: { name: 'end_call', arguments: { reason: 'done' } } }],
  otherwise: { tool: { name: 'free_slots', arguments: { day: 'Tuesday' } } },
};

/** A worker with its own log, a provider, and a tool that answers with the secret that it was sent. */
export async function openCanaryStage(environment: Readonly<Record<string, string>> = {}) {
  const secretKey = randomBytes(32);
  const speech = createSpeechSynthesizer({ clock: systemClock });
  const speak = (text: string) => speech.synthesize({ text, voice: 'rms' });
  const provider = await startSimulatedProvider({ script: SCRIPT, sentences: [], speak });
  const asked: string[] = [];
  const tool = createServer((request, response) => {
    asked.push(request.headers.authorization ?? '');
    response.end(JSON.stringify({ slots: ['9:00'], echo: request.headers }));
  });
  tool.listen(0, '127.0.0.1');
  await once(tool, 'listening');
  const toolAddress = tool.address();
  const toolUrl = `http://127.0.0.1:${typeof toolAddress === 'object' ? toolAddress?.port : 0}/slots`;

  const stage = await openStage({
    credentials: (database) => createCredentialDirectory(createCandidateReader(database), systemClock),
  });
  const { agents, credentialsOf, secretsOf, modelRates } = createAdministration(stage.database, { actor: 'test' });
  for (const [name, apiKey] of Object.entries({ accepted: ACCEPTED, realtime: REFUSED, cascade: REFUSED })) {
    for (const [of, path] of Object.entries({ openai: '/v1', deepgram: '', elevenlabs: '' })) {
      const known = of === 'openai' || of === 'deepgram' ? of : 'elevenlabs';
      const baseUrl = `${provider.address}${path}`;
      await credentialsOf(null).create({
        provider: known,
        name: `${name}-${of}`,
        apiKey,
        baseUrl,
        region: null,
        secretKey,
      });
    }
  }
  await secretsOf(stage.accountId).set({ name: secretNameSchema.parse('CRM_TOKEN'), value: SECRET, secretKey });
  const rates = UNITS.flatMap(([component, unit]) =>
    (['openai', 'deepgram', 'elevenlabs'] as const).map((of) => ({
      component,
      provider: of,
      model: '*',
      unit,
      priceMicrosPerMillion: micros(1_000_000),
      estimateMicrosPerMinute: micros(1_000),
    })),
  );
  await modelRates.import({ currency: 'USD', rates });

  const worker = startChildWorker(
    stage.environment({
      LOG_LEVEL: 'debug',
      OUTDIAL_MODEL_LOG: 'shapes',
      OUTDIAL_SECRET_KEY: secretKey.toString('hex'),
      OUTDIAL_EGRESS_ALLOW: '127.0.0.0/8',
      OUTDIAL_SIMULATED_SPEED: '1',
      ...environment,
    }),
  );
  await worker.said('taking calls');

  async function stopWorker(): Promise<void> {
    worker.signal('SIGTERM');
    await worker.exited();
  }

  return {
    stage,
    /** The secrets that the tool was sent. */
    asked,
    logged: () => worker.output(),
    /** The agent is conducted by models with the credentials of this name. */
    conductBy: (family: Family, credential: 'accepted' | 'refused') =>
      agents.update({ agentId: stage.agentId, settings: settingsOf(family, credential, toolUrl) }),
    /** Of the API and the worker. */
    secretKey: secretKey.toString('hex'),
    stopWorker,
    /** Conducts a whole call to a test number, with the credentials of this name. */
    async call(family: Family, credential: 'accepted' | 'refused') {
      // Once it was refused, calls wait for the next key: each family has its own.
      const settings = settingsOf(family, credential === 'refused' ? family : credential, toolUrl);
      await agents.update({ agentId: stage.agentId, settings });
      return stage.untilEnded(await stage.place('+12025550100', { maxDurationSeconds: 40 }));
    },
    async close() {
      await stopWorker();
      await stage.close();
      await provider.close();
      tool.closeAllConnections();
      tool.close();
      await speech.close();
    },
  };
}

function settingsOf(family: Family, credential: string, toolUrl: string) {
  const openai = { provider: 'openai', credential: `${credential}-openai` };
  const models = {
    realtime: { model: { ...openai, model: 'gpt-realtime' } },
    cascade: {
      stt: { provider: 'deepgram', credential: `${credential}-deepgram` },
      llm: { ...openai, model: 'gpt-simulated' },
      tts: { provider: 'elevenlabs', voice: 'simulatedvoice1', credential: `${credential}-elevenlabs` },
    },
  };
  return agentSettingsSchema.parse({
    driver: family,
    name: 'Appointment',
    instructions: 'You call patients of a dental practice.',
    first_message: 'Hello {{name}}.',
    ...models[family],
    tools: [
      { type: 'end_call', name: 'end_call', description: 'Ends the call.' },
      {
        type: 'http',
        name: 'free_slots',
        description: 'Finds free slots.',
        url: toolUrl,
        headers: { Authorization: 'Bearer {{secret.CRM_TOKEN}}' },
      },
    ],
    analysis: {
      summary: {},
      llm: { provider: 'openai', credential: 'realtime-openai', model: 'gpt-simulated' },
    },
  });
}
