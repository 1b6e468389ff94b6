import { createDatabase, createAdministration } from '@outdial/persistence';
import { agentSettingsSchema, e164Schema, micros, trunkNameSchema } from '@outdial/contracts';
import { CALLER_NUMBER, PEPPER_HEX } from '../seed.ts';

const LONG_TEXT =
  'We are calling to tell you about the changes to your appointment, and to go through everything that you may want to bring with you. ' +
  'Please listen to the whole of this message, since it holds all that you need to know about the way to our office and the people you will meet. ';
/** About a minute of speech. */
const A_MINUTE = LONG_TEXT.repeat(4).trim().slice(0, 990);

/**
 * So few that the speech cache holds all of them before memory is measured: the cache fills up to a bound, which
 * would look like a leak.
 */
const DIFFERENT_LINES = 4;

/** The agents of the benchmarks. */
export const AGENTS = {
  /** Talks as long as the call lasts, even while the callee talks. */
  talker: {
    name: 'Talker',
    first_message: 'Hello, this is a long message.',
    lines: Array.from({ length: 50 }, (_, line) => `${(line % DIFFERENT_LINES) + 1}. ${A_MINUTE}`.slice(0, 1_000)),
    no_input: { prompt: 'Are you there?', after_ms: 1_000, times: 5 },
    barge_in: false,
  },
  /** Takes turns with a person. */
  listener: {
    name: 'Listener',
    first_message: 'Hello, this is a reminder of your appointment on Monday.',
    lines: ['Will you be there?', 'Shall we send you the papers?', 'Is there anything else that we can do for you?'],
  },
  /** Says lines that are long enough to be interrupted. */
  interrupted: {
    name: 'Interrupted',
    first_message: LONG_TEXT,
    lines: [LONG_TEXT, LONG_TEXT],
  },
} as const;
export type AgentName = keyof typeof AGENTS;

/** Beyond the machine's capacity, so that nothing else limits the calls. */
const UNLIMITED = 10_000;
const BALANCE_MICROS = micros(1_000_000_000_000);

export interface VoiceAccount {
  readonly apiKey: string;
  readonly agents: Readonly<Record<AgentName, string>>;
}

/** Creates an account with its agents, and the trunk to the callee. */
export async function seedVoiceAccount(databaseUrl: string, trunkUri: string): Promise<VoiceAccount> {
  const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1 });
  try {
    const admin = createAdministration(database, { actor: 'bench' });
    const { id: accountId } = await admin.accounts.create({ name: 'Bench', currency: 'USD', capacity: UNLIMITED });
    await admin.wallets.topUp({ accountId, amountMicros: BALANCE_MICROS, idempotencyKey: 'bench' });
    await admin.numbers.add({ accountId, e164: e164Schema.parse(CALLER_NUMBER), isDefault: true });
    await admin.rates.import({ currency: 'USD', rates: [RATE] });
    await admin.capacity.setSystem(UNLIMITED);
    await admin.trunks.add({ ...TRUNK, uri: trunkUri });
    const idOf = async (name: AgentName) =>
      (await admin.agents.create({ accountId, settings: agentSettingsSchema.parse(AGENTS[name]) })).id;
    const agents = {
      talker: await idOf('talker'),
      listener: await idOf('listener'),
      interrupted: await idOf('interrupted'),
    };
    const pepper = Buffer.from(PEPPER_HEX, 'hex');
    const { key: apiKey } = await admin.keys.create({ accountId, name: 'bench', pepper, requestsPerSecond: UNLIMITED });
    return { apiKey, agents };
  } finally {
    await database.close();
  }
}

const RATE = {
  prefix: '1',
  description: 'North America',
  connectionFeeMicros: micros(0),
  pricePerMinuteMicros: micros(12_000),
  initialIncrementSeconds: 60,
  incrementSeconds: 60,
};

const TRUNK = {
  name: trunkNameSchema.parse('callee'),
  transport: 'udp',
  outboundProxy: null,
  credentials: null,
  channels: UNLIMITED,
  callsPerSecond: 1_000,
  callerId: { prefixes: [], asserted: false },
  numberFormat: 'e164',
  codecs: ['PCMU', 'PCMA'],
  priority: 10,
  weight: 10,
  healthCheck: 'options',
} as const;
