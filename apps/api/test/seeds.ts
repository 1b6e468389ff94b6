import { randomInt, randomUUID } from 'node:crypto';
import type { KeyPepper } from '@outdial/secrets';
import {
  agentSettingsSchema,
  e164Schema,
  micros,
  parseDecimal,
  type AccountId,
  type AgentId,
  type E164,
} from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Administration } from '@outdial/persistence';

/** An account that can place calls. */
export interface TestAccount {
  readonly id: AccountId;
  readonly key: string;
  readonly agentId: AgentId;
  readonly fromNumber: E164;
  /** The smallest valid call. */
  readonly newCall: { readonly to_number: string; readonly agent_id: string };
}

export interface AccountOptions {
  /** In dollars. */
  readonly balance?: string;
  readonly capacity?: number;
  readonly requestsPerSecond?: number;
  readonly firstMessage?: string;
  readonly withoutNumber?: boolean;
  readonly mayUseSystemNumber?: boolean;
}

export interface Seeds {
  /** 0.012 dollars a minute to +1, whole minutes: the first hold is 0.024. */
  account(options?: AccountOptions): Promise<TestAccount>;
}

export const number = (text: string): E164 => e164Schema.parse(text);

export function createSeeds(admin: Administration, pepper: KeyPepper): Seeds {
  let deck: Promise<unknown> | undefined;

  return {
    async account(options = {}) {
      deck ??= importDeck(admin);
      await deck;
      const { capacity = 10, balance = '100.00', mayUseSystemNumber = false } = options;
      const { id } = await admin.accounts.create({ name: 'Acme', currency: 'USD', capacity, mayUseSystemNumber });
      const amountMicros = parseDecimal(balance);
      invariant(amountMicros !== null, 'the balance is a decimal');
      if (amountMicros > 0n) {
        await admin.wallets.topUp({ accountId: id, amountMicros, idempotencyKey: randomUUID() });
      }
      const fromNumber = number(`+1202${String(randomInt(10_000_000)).padStart(7, '0')}`);
      if (!options.withoutNumber) await admin.numbers.add({ accountId: id, e164: fromNumber, isDefault: true });
      const settings = agentSettingsSchema.parse({ name: 'Agent', first_message: options.firstMessage ?? 'Hello.' });
      const agent = await admin.agents.create({ accountId: id, settings });
      const limit = options.requestsPerSecond;
      const { key } = await admin.keys.create({
        accountId: id,
        name: 'test',
        pepper,
        ...(limit === undefined ? {} : { requestsPerSecond: limit }),
      });
      return { id, key, agentId: agent.id, fromNumber, newCall: { to_number: '+12025550143', agent_id: agent.id } };
    },
  };
}

function importDeck(admin: Administration): Promise<unknown> {
  return admin.rates.import({
    currency: 'USD',
    rates: [
      {
        prefix: '1',
        description: 'North America',
        connectionFeeMicros: micros(0),
        pricePerMinuteMicros: micros(12_000),
        initialIncrementSeconds: 60,
        incrementSeconds: 60,
      },
    ],
  });
}
