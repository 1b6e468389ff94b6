import type { KeyPepper } from '@outdial/secrets';
import {
  agentSettingsSchema,
  e164Schema,
  parseDecimal,
  type AccountId,
  type AgentId,
  type E164,
  type KeyScope,
} from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Database } from '@outdial/persistence';
import { seedCaller } from '@outdial/persistence/seeding';

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
  /** Of the key. Default: `outbound`. */
  readonly scopes?: readonly KeyScope[];
  readonly firstMessage?: string;
  readonly withoutNumber?: boolean;
  readonly mayUseSystemNumber?: boolean;
}

export interface Seeds {
  /** 0.012 dollars a minute to +1, whole minutes: the first hold is 0.024. */
  account(options?: AccountOptions): Promise<TestAccount>;
}

export const number = (text: string): E164 => e164Schema.parse(text);

export function createSeeds(database: Database, pepper: KeyPepper): Seeds {
  return {
    async account({ balance = '100.00', capacity = 10, firstMessage = 'Hello.', ...options } = {}) {
      const balanceMicros = parseDecimal(balance);
      invariant(balanceMicros !== null, 'the balance is a decimal');
      const { requestsPerSecond, scopes, mayUseSystemNumber = false } = options;
      const account = await seedCaller(database, {
        balanceMicros,
        capacity,
        mayUseSystemNumber,
        agents: [agentSettingsSchema.parse({ name: 'Agent', first_message: firstMessage })],
        key: { pepper, scopes, ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }) },
        ...(options.withoutNumber ? { number: null } : {}),
      });
      return { ...account, newCall: { to_number: '+12025550143', agent_id: account.agentId } };
    },
  };
}
