import { scriptedSettingsSchema, e164Schema, micros, type AccountId, type AgentId } from '@outdial/contracts';
import type { Database } from '@outdial/persistence';
import { seedAccount } from '@outdial/persistence/seeding';

export interface SeedOptions {
  readonly balanceMicros?: number;
  readonly capacity?: number;
  /** Default: the area code of the test numbers. */
  readonly ratePrefix?: string;
}

const settings = scriptedSettingsSchema.parse({
  name: 'Reminder',
  first_message: 'Hello {{name}}, this is a reminder of your appointment.',
  lines: ['Will you be there?'],
  no_input: { prompt: 'Are you there?', after_ms: 3_000, times: 1 },
  menu: { '1': 'Thank you for confirming.' },
  opt_out: { key: '9' },
  voicemail_message: 'Please call us back.',
  screening_reply: 'A reminder of an appointment.',
});
const patient = { ...settings, no_input: { ...settings.no_input, after_ms: 60_000 } };

/** An account that may place calls, with money, a number, and two agents with different no-input timeouts. */
export async function seed(
  database: Database,
  { balanceMicros = 100_000_000, capacity = 200, ratePrefix = '1202' }: SeedOptions,
): Promise<{ readonly accountId: AccountId; readonly agentId: AgentId; readonly patientAgentId: AgentId }> {
  const { id, agentId, agentIds } = await seedAccount(database, {
    balanceMicros: BigInt(balanceMicros),
    capacity,
    number: e164Schema.parse('+12025550199'),
    agents: [settings, patient],
    rate: { prefix: ratePrefix, connectionFeeMicros: micros(1_000), initialIncrementSeconds: 1, incrementSeconds: 1 },
  });
  return { accountId: id, agentId, patientAgentId: agentIds[1] ?? agentId };
}
