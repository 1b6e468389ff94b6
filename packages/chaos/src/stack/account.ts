import { randomUUID } from 'node:crypto';
import type { KeyPepper } from '@outdial/secrets';
import { agentSettingsSchema, e164Schema, micros, type AccountId, type AgentId, type Micros } from '@outdial/contracts';
import type { Administration } from '@outdial/persistence';

/** An account that can place calls. Every fault has its own, so that none uses up another's funds or capacity. */
export interface Account {
  readonly id: AccountId;
  readonly agentId: AgentId;
  readonly apiKey: string;
}

export interface AccountOptions {
  readonly capacity?: number;
  readonly balanceMicros?: Micros;
}

/** For every test number: a call's first hold is the cost of two minutes. */
const PRICE_PER_MINUTE_MICROS = micros(12_000);
const CONNECTION_FEE_MICROS = micros(1_000);
export const FIRST_HOLD_MICROS = micros(CONNECTION_FEE_MICROS + 2n * PRICE_PER_MINUTE_MICROS);

/** A key without an effective rate limit. */
const REQUESTS_PER_SECOND = 100_000;

export async function importRates(admin: Administration): Promise<void> {
  const rate = {
    prefix: '1202',
    description: 'Washington, DC',
    connectionFeeMicros: CONNECTION_FEE_MICROS,
    pricePerMinuteMicros: PRICE_PER_MINUTE_MICROS,
    initialIncrementSeconds: 1,
    incrementSeconds: 1,
  };
  await admin.rates.import({ currency: 'USD', rates: [rate] });
}

export async function createAccount(
  admin: Administration,
  pepper: KeyPepper,
  { capacity = 900, balanceMicros = micros(1_000_000_000) }: AccountOptions,
): Promise<Account> {
  const { id } = await admin.accounts.create({ name: 'Acme', currency: 'USD', capacity });
  await admin.wallets.topUp({ accountId: id, amountMicros: balanceMicros, idempotencyKey: randomUUID() });
  await admin.numbers.add({ accountId: id, e164: e164Schema.parse('+12025550199'), isDefault: true });
  const settings = agentSettingsSchema.parse({ name: 'Agent', first_message: 'Hello.' });
  const agent = await admin.agents.create({ accountId: id, settings });
  const key = await admin.keys.create({ accountId: id, name: 'chaos', pepper, requestsPerSecond: REQUESTS_PER_SECOND });
  return { id, agentId: agent.id, apiKey: key.key };
}
