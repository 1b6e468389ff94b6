import { agentSettingsSchema, e164Schema, trunkNameSchema } from '@outdial/contracts';
import { createDatabase, createAdministration } from '@outdial/persistence';
import { seedCaller } from '@outdial/persistence/seeding';
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
const BALANCE_MICROS = 1_000_000_000_000n;

export interface VoiceAccount {
  readonly apiKey: string;
  readonly agents: Readonly<Record<AgentName, string>>;
}

/** Creates an account with its agents, and the trunk to the callee. */
export async function seedVoiceAccount(databaseUrl: string, trunkUri: string): Promise<VoiceAccount> {
  const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1 });
  try {
    const names = ['talker', 'listener', 'interrupted'] as const;
    const { agentId, agentIds, key } = await seedCaller(database, {
      name: 'Bench',
      balanceMicros: BALANCE_MICROS,
      capacity: UNLIMITED,
      number: e164Schema.parse(CALLER_NUMBER),
      agents: names.map((name) => agentSettingsSchema.parse(AGENTS[name])),
      key: { pepper: Buffer.from(PEPPER_HEX, 'hex'), requestsPerSecond: UNLIMITED },
    });
    const admin = createAdministration(database, { actor: 'bench' });
    await admin.capacity.setSystem(UNLIMITED);
    await admin.trunks.add({ ...CALLEE_TRUNK, uri: trunkUri });
    const idOf = (name: AgentName) => agentIds[names.indexOf(name)] ?? agentId;
    const agents = { talker: idOf('talker'), listener: idOf('listener'), interrupted: idOf('interrupted') };
    return { apiKey: key, agents };
  } finally {
    await database.close();
  }
}

/** The way to the callee. */
export const CALLEE_TRUNK = {
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
