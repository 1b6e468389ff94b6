import { randomUUID } from 'node:crypto';
import type { KeyPepper } from '@outdial/secrets';
import {
  storedAgentSettingsSchema,
  micros,
  type AccountId,
  type KeyScope,
  type ScriptedSettings,
  type Role,
} from '@outdial/contracts';
import { createUserAdministration, hashPassword } from '@outdial/identity/users';
import { createAdministration, type Administration, type Database } from '@outdial/persistence';
import { seedCaller } from '@outdial/persistence/seeding';

export type SeededAccount = Awaited<ReturnType<typeof seedCaller>>;

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
  account(options?: {
    readonly name?: string;
    readonly agent?: Partial<ScriptedSettings>;
    /** Of the key. Default: `outbound`. */
    readonly scopes?: readonly KeyScope[];
  }): Promise<SeededAccount>;
  person(options?: PersonOptions): Promise<Person>;
}

const AGENT = {
  name: 'Reminder',
  first_message: 'Hello {{name}}, this is a reminder of your appointment.',
  lines: ['Will you be there?'],
  no_input: { prompt: 'Are you there?', after_ms: 3_000, times: 1 },
};

export function createSeeds(database: Database, pepper: KeyPepper): Seeds {
  // Hashing takes long on purpose: the users share a password.
  const password = randomUUID();
  const hash = hashPassword(password);
  const users = createUserAdministration(database, { actor: 'test', hash: () => hash });
  return {
    admin: createAdministration(database, { actor: 'test' }),
    account: ({ name = 'Northwind Dental', agent = {}, scopes } = {}) =>
      seedCaller(database, {
        name,
        balanceMicros: 50_000_000n,
        agents: [storedAgentSettingsSchema.parse({ ...AGENT, ...agent })],
        key: { pepper, scopes },
        rate: { connectionFeeMicros: micros(1_000), initialIncrementSeconds: 1, incrementSeconds: 1 },
      }),
    async person({ name = 'Sam Rivera', memberships = [], isOperator = false } = {}) {
      const person = { name, email: `${randomUUID()}@example.com`, password };
      await users.create(person);
      for (const membership of memberships) await users.addToAccount(person, membership);
      if (isOperator) await users.setOperator(person, true);
      return person;
    },
  };
}
