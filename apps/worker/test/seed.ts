import { randomUUID } from 'node:crypto';
import { agentSettingsSchema, e164Schema, micros, type AccountId, type AgentId } from '@outdial/contracts';
import { createAdministration, type Database } from '@outdial/persistence';

export interface SeedOptions {
  readonly balanceMicros?: number;
  readonly capacity?: number;
}

/** An account that may place calls, with money, a number, and two agents with different no-input timeouts. */
export async function seed(
  database: Database,
  { balanceMicros = 100_000_000, capacity = 200 }: SeedOptions,
): Promise<{ readonly accountId: AccountId; readonly agentId: AgentId; readonly patientAgentId: AgentId }> {
  const admin = createAdministration(database, { actor: 'test' });
  const rate = {
    prefix: '1202',
    description: 'Washington, DC',
    connectionFeeMicros: micros(1_000),
    pricePerMinuteMicros: micros(12_000),
    initialIncrementSeconds: 1,
    incrementSeconds: 1,
  };
  await admin.rates.import({ currency: 'USD', rates: [rate] });
  const { id: accountId } = await admin.accounts.create({ name: 'Acme', currency: 'USD', capacity });
  await admin.wallets.topUp({ accountId, amountMicros: micros(balanceMicros), idempotencyKey: randomUUID() });
  await admin.numbers.add({ accountId, e164: e164Schema.parse('+12025550199'), isDefault: true });
  const settings = agentSettingsSchema.parse({
    name: 'Reminder',
    first_message: 'Hello {{name}}, this is a reminder of your appointment.',
    lines: ['Will you be there?'],
    no_input: { prompt: 'Are you there?', after_ms: 3_000, times: 1 },
    menu: { '1': 'Thank you for confirming.' },
    voicemail_message: 'Please call us back.',
    screening_reply: 'A reminder of an appointment.',
  });
  const patience = { no_input: { ...settings.no_input, after_ms: 60_000 } };
  const agent = await admin.agents.create({ accountId, settings });
  const patient = await admin.agents.create({ accountId, settings: { ...settings, ...patience } });
  return { accountId, agentId: agent.id, patientAgentId: patient.id };
}
