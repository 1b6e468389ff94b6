import { randomInt, randomUUID } from 'node:crypto';
import {
  accountIdSchema,
  agentIdSchema,
  agentSettingsSchema,
  e164Schema,
  micros,
  type AccountId,
  type AgentId,
  type AgentSettings,
  type E164,
  type KeyScope,
} from '@outdial/contracts';
import { createApiKey, digestApiKey, SHOWN_KEY_LENGTH, type KeyPepper } from '@outdial/secrets';
import { invariant } from '@outdial/kernel';
import type { DeckRate } from '../administration/rates.ts';
import type { Database } from '../database.ts';
import { SEED_ACCOUNT } from './seed-statement.ts';

/** Runs one statement with `$1`, `$2`, … on a database. */
export type RunStatement = (text: string, values: readonly unknown[]) => Promise<unknown>;

export interface AccountOptions {
  /** Default: new ids. `agents` in the order of the agents. */
  readonly ids?: { readonly account: AccountId; readonly agents: readonly AgentId[] };
  readonly name?: string;
  /** Default: 100 dollars. Stored with its entry in the ledger. */
  readonly balanceMicros?: bigint;
  /** Default: 100. */
  readonly capacity?: number;
  readonly mayUseSystemNumber?: boolean;
  /** Default: a random one. Null: none. */
  readonly number?: E164 | null;
  /** Default: one that says hello. */
  readonly agents?: readonly AgentSettings[];
  /** The account's API key; without one the account has none. */
  readonly key?: {
    readonly pepper: KeyPepper;
    readonly requestsPerSecond?: number;
    /** Default: `outbound`. */
    readonly scopes?: readonly KeyScope[] | undefined;
  };
  /** Changes to the rate of the deck in dollars. A deck that exists stays. Null: no deck. */
  readonly rate?: Partial<DeckRate> | null;
}

/** An account as it is in the database once its seed was planted. */
export interface SeededAccount {
  readonly id: AccountId;
  /** The first agent. */
  readonly agentId: AgentId;
  readonly agentIds: readonly AgentId[];
  /** The number that calls are placed from, unless `number` was null. */
  readonly fromNumber: E164;
}

export interface AccountSeed {
  readonly account: SeededAccount;
  /** The API key, if the seed has one. */
  readonly key: string | null;
  /** Creates the account with everything that a call needs, in one statement. May be planted in several databases. */
  readonly plantIn: (run: RunStatement) => Promise<void>;
}

const RATE: DeckRate = {
  prefix: '1',
  description: 'North America',
  connectionFeeMicros: micros(0),
  pricePerMinuteMicros: micros(12_000),
  initialIncrementSeconds: 60,
  incrementSeconds: 60,
};

const AGENT = agentSettingsSchema.parse({ name: 'Agent', first_message: 'Hello.' });

/** A number in Washington, DC. */
export const randomNumber = (): E164 => e164Schema.parse(`+1202${String(randomInt(10_000_000)).padStart(7, '0')}`);

/** An account that can place calls. Its statement skips the audit and the checks of the administration. */
export function accountSeed(options: AccountOptions = {}): AccountSeed {
  const { name = 'Acme', balanceMicros = 100_000_000n, capacity = 100, mayUseSystemNumber = false } = options;
  const { agents = [AGENT], number = randomNumber(), rate = {} } = options;
  const id = options.ids?.account ?? accountIdSchema.parse(randomUUID());
  const agentIds = options.ids?.agents ?? agents.map(() => agentIdSchema.parse(randomUUID()));
  const [agentId] = agentIds;
  invariant(agentId !== undefined && agentIds.length === agents.length, 'every agent has its id, and there is one');
  const key = options.key ? createApiKey() : null;
  const values = [
    id,
    name,
    capacity,
    mayUseSystemNumber,
    balanceMicros.toString(),
    number,
    JSON.stringify(agents.map((settings, index) => ({ id: agentIds[index], settings }))),
    key?.slice(0, SHOWN_KEY_LENGTH) ?? null,
    key && options.key ? digestApiKey(key, options.key.pepper).toString('hex') : null,
    options.key?.requestsPerSecond ?? null,
    rate && JSON.stringify(columnsOf({ ...RATE, ...rate })),
    options.key?.scopes ?? ['outbound'],
  ];
  return {
    account: { id, agentId, agentIds, fromNumber: number ?? randomNumber() },
    key,
    plantIn: async (run) => void (await run(SEED_ACCOUNT, values)),
  };
}

/** Plants the account in this database. */
export async function seedAccount(database: Database, options?: AccountOptions): Promise<SeededAccount> {
  const seed = accountSeed(options);
  await seed.plantIn(statementsOf(database));
  return seed.account;
}

/** The same, with an API key. */
export async function seedCaller(
  database: Database,
  options: AccountOptions & Required<Pick<AccountOptions, 'key'>>,
): Promise<SeededAccount & { readonly key: string }> {
  const { account, key, plantIn } = accountSeed(options);
  invariant(key !== null, 'the seed has a key');
  await plantIn(statementsOf(database));
  return { ...account, key };
}

const statementsOf =
  ({ side }: Database): RunStatement =>
  (text, values) =>
    side.$executeRawUnsafe(text, ...values);

function columnsOf(rate: DeckRate) {
  return {
    prefix: rate.prefix,
    description: rate.description,
    connection_fee_micros: Number(rate.connectionFeeMicros),
    price_per_minute_micros: Number(rate.pricePerMinuteMicros),
    initial_increment_seconds: rate.initialIncrementSeconds,
    increment_seconds: rate.incrementSeconds,
  };
}
