import {
  agentSettingsSchema,
  e164Schema,
  micros,
  type AgentId,
  type Component,
  type Provider,
  type UsageUnit,
} from '@outdial/contracts';
import { createAdministration, createDatabase, type Administration } from '@outdial/persistence';
import { seedCaller } from '@outdial/persistence/seeding';
import { parseSecretKey } from '@outdial/secrets';
import { CALLER_NUMBER, PEPPER_HEX } from '../seed.ts';
import { SECRET_KEY_HEX } from '../voice/call-processes.ts';
import { CALLEE_TRUNK } from '../voice/seed.ts';
import { AGENTS, BREAKING_AGENTS, type AgentName } from './agents.ts';

/** Beyond the machine's capacity, so that nothing else limits the calls. */
const UNLIMITED = 10_000;
const BALANCE_MICROS = 1_000_000_000_000n;
const API_KEY = 'sk-simulated-bench';
/** Below the providers' address, where the interface of each begins. */
const PATHS = { openai: '/v1', deepgram: '', elevenlabs: '' } as const;

const PRICED: readonly (readonly [Component, Provider, readonly UsageUnit[]])[] = [
  [
    'realtime',
    'openai',
    [
      'input_text_token',
      'cached_input_text_token',
      'input_audio_token',
      'cached_input_audio_token',
      'output_text_token',
      'output_audio_token',
    ],
  ],
  ['stt', 'openai', ['input_text_token', 'input_audio_token', 'output_text_token']],
  ['stt', 'deepgram', ['second']],
  ['llm', 'openai', ['input_text_token', 'cached_input_text_token', 'output_text_token']],
  ['tts', 'elevenlabs', ['character']],
];

export interface ModelsAccount {
  readonly apiKey: string;
  readonly agents: Readonly<Record<AgentName, AgentId>>;
  readonly breakingAgents: readonly AgentId[];
}

/** Creates an account with its agents, the operator's credentials and prices, and the trunk to the callee. */
export async function seedModelsAccount(
  databaseUrl: string,
  { trunkUri, modelsUrl }: { readonly trunkUri: string; readonly modelsUrl: string },
): Promise<ModelsAccount> {
  const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1 });
  try {
    const admin = createAdministration(database, { actor: 'bench' });
    await admin.capacity.setSystem(UNLIMITED);
    await admin.trunks.add({ ...CALLEE_TRUNK, uri: trunkUri });
    await addProviders(admin, modelsUrl);
    const { agentIds, key } = await seedCaller(database, {
      name: 'Bench',
      balanceMicros: BALANCE_MICROS,
      capacity: UNLIMITED,
      number: e164Schema.parse(CALLER_NUMBER),
      agents: [AGENTS.scripted, AGENTS.realtime, AGENTS.cascade, ...BREAKING_AGENTS].map((settings) =>
        agentSettingsSchema.parse(settings),
      ),
      key: { pepper: Buffer.from(PEPPER_HEX, 'hex'), requestsPerSecond: UNLIMITED },
    });
    const [scripted, realtime, cascade, ...breakingAgents] = agentIds;
    if (!scripted || !realtime || !cascade) throw new Error('an agent was not created');
    return { apiKey: key, agents: { scripted, realtime, cascade }, breakingAgents };
  } finally {
    await database.close();
  }
}

async function addProviders({ credentialsOf, modelRates }: Administration, modelsUrl: string): Promise<void> {
  const secretKey = parseSecretKey(SECRET_KEY_HEX);
  if (secretKey === null) throw new Error('the secret key is one');
  for (const provider of ['openai', 'deepgram', 'elevenlabs'] as const) {
    await credentialsOf(null).create({
      provider,
      name: `simulated-${provider}`,
      apiKey: API_KEY,
      baseUrl: `${modelsUrl}${PATHS[provider]}`,
      region: null,
      maxConcurrentCalls: UNLIMITED,
      startsPerSecond: 1_000,
      secretKey,
    });
  }
  const price = { priceMicrosPerMillion: micros(1_000_000), estimateMicrosPerMinute: micros(1_000) };
  const rates = PRICED.flatMap(([component, provider, units]) =>
    units.map((unit) => ({ component, provider, model: '*', unit, ...price })),
  );
  await modelRates.import({ currency: 'USD', rates });
}
