import { parseSecretKey, type KeyPepper } from '@outdial/secrets';
import { e164Schema, micros, type AccountId, type AgentId, type AgentSettings, type Micros } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { createWebhookEndpoints, type Database } from '@outdial/persistence';
import { seedCaller } from '@outdial/persistence/seeding';
import { createSecret } from '@outdial/webhooks';
import type { Receivers } from './receivers.ts';
import { SECRET_KEY_HEX } from './services.ts';

/** An account that can place calls. Every fault has its own, so that none uses up another's funds or capacity. */
export interface Account {
  readonly id: AccountId;
  /** Whom its calls have, unless it is another of `agentIds`. */
  readonly agentId: AgentId;
  readonly agentIds: readonly AgentId[];
  readonly apiKey: string;
}

export interface AccountOptions {
  readonly capacity?: number;
  readonly balanceMicros?: Micros;
  /** Default: one that says hello. */
  readonly agents?: readonly AgentSettings[];
}

/** For every test number: a call's first hold is the cost of two minutes. */
const PRICE_PER_MINUTE_MICROS = micros(12_000);
const CONNECTION_FEE_MICROS = micros(1_000);
export const FIRST_HOLD_MICROS = micros(CONNECTION_FEE_MICROS + 2n * PRICE_PER_MINUTE_MICROS);

/** A key without an effective rate limit. */
const REQUESTS_PER_SECOND = 100_000;

const CALLER_NUMBER = e164Schema.parse('+12025550199');
const RATE = {
  prefix: '1202',
  description: 'Washington, DC',
  connectionFeeMicros: CONNECTION_FEE_MICROS,
  pricePerMinuteMicros: PRICE_PER_MINUTE_MICROS,
  initialIncrementSeconds: 1,
  incrementSeconds: 1,
};

export interface AccountDeps {
  readonly database: Database;
  readonly pepper: KeyPepper;
  readonly receivers: Receivers;
}

export async function createAccount(
  { database, pepper, receivers }: AccountDeps,
  { capacity = 900, balanceMicros = micros(1_000_000_000), agents }: AccountOptions,
): Promise<Account> {
  const { id, agentId, agentIds, key } = await seedCaller(database, {
    balanceMicros,
    capacity,
    number: CALLER_NUMBER,
    rate: RATE,
    ...(agents ? { agents } : {}),
    key: { pepper, requestsPerSecond: REQUESTS_PER_SECOND },
  });
  await addEndpoint(database, receivers, id);
  return { id, agentId, agentIds, apiKey: key };
}

/** For all types of webhooks. */
async function addEndpoint(database: Database, receivers: Receivers, accountId: AccountId): Promise<void> {
  const secretKey = parseSecretKey(SECRET_KEY_HEX);
  invariant(secretKey !== null, '32 bytes make a key');
  const secret = createSecret();
  const url = receivers.open(accountId, secret);
  const settings = { url, events: [], description: '', ratePerSecond: null, maxOfAccount: 1 };
  await createWebhookEndpoints(database, { accountId, actor: 'chaos' }).create({ ...settings, secret, secretKey });
}
