import { randomInt, randomUUID } from 'node:crypto';
import type { KeyPepper } from '@outdial/secrets';
import {
  savedAgentSettingsSchema,
  e164Schema,
  micros,
  type AccountId,
  type AgentId,
  type AgentSettings,
  type E164,
  type Role,
} from '@outdial/contracts';
import { createUserAdministration } from '@outdial/identity/users';
import { createAdministration, type Administration, type Database } from '@outdial/persistence';

export interface SeededAccount {
  readonly id: AccountId;
  readonly agentId: AgentId;
  readonly fromNumber: E164;
  readonly key: string;
}

/** A user who can sign in. */
export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface PersonOptions {
  readonly name?: string;
  readonly memberships?: readonly { readonly accountId: AccountId; readonly role: Role }[];
  readonly isOperator?: boolean;
}

export interface Seeds {
  readonly admin: Administration;
  /** An account with money, a number and one agent. */
  account(options?: { readonly name?: string; readonly agent?: Partial<AgentSettings> }): Promise<SeededAccount>;
  person(options?: PersonOptions): Promise<Person>;
}

const AGENT = {
  name: 'Reminder',
  first_message: 'Hello {{name}}, this is a reminder of your appointment.',
  lines: ['Will you be there?'],
  no_input: { prompt: 'Are you there?', after_ms: 3_000, times: 1 },
};

export async function createSeeds(database: Database, pepper: KeyPepper): Promise<Seeds> {
  const admin = createAdministration(database, { actor: 'test' });
  const users = createUserAdministration(database, { actor: 'test' });
  const rate = {
    prefix: '1',
    description: 'North America',
    connectionFeeMicros: micros(1_000),
    pricePerMinuteMicros: micros(12_000),
    initialIncrementSeconds: 1,
    incrementSeconds: 1,
  };
  await admin.rates.import({ currency: 'USD', rates: [rate] });

  return {
    admin,
    async account({ name = 'Northwind Dental', agent = {} } = {}) {
      const { id } = await admin.accounts.create({ name, currency: 'USD', capacity: 100 });
      await admin.wallets.topUp({ accountId: id, amountMicros: micros(50_000_000), idempotencyKey: randomUUID() });
      const fromNumber = e164Schema.parse(`+1202${String(randomInt(10_000_000)).padStart(7, '0')}`);
      await admin.numbers.add({ accountId: id, e164: fromNumber, isDefault: true });
      const settings = savedAgentSettingsSchema.parse({ ...AGENT, ...agent });
      const { id: agentId } = await admin.agents.create({ accountId: id, settings });
      const { key } = await admin.keys.create({ accountId: id, name: 'production', pepper });
      return { id, agentId, fromNumber, key };
    },
    async person({ name = 'Sam Rivera', memberships = [], isOperator = false } = {}) {
      const person = { name, email: `${randomUUID()}@example.com`, password: randomUUID() };
      await users.create(person);
      for (const membership of memberships) await users.addToAccount(person, membership);
      if (isOperator) await users.setOperator(person, true);
      return person;
    },
  };
}
