import { readFile } from 'node:fs/promises';
import { digestApiKey, type KeyPepper, type SecretKey } from '@outdial/secrets';
import { e164Schema, KEY_SCOPES, parseDecimal, type AccountId } from '@outdial/contracts';
import { CodedError, invariant } from '@outdial/kernel';
import {
  type Administration,
  type AgentRecord,
  createAdministration,
  createCallReader,
  createDirectory,
  type Database,
  parseModelRatesCsv,
  parseRatesCsv,
  type WalletRecord,
} from '@outdial/persistence';
import { parseAgentSettings } from '../admin/agent-settings-file.ts';
import { readDemo, writeDemo, type Demo, type StoredDemo } from '../instance/demo-file.ts';
import { DEMO_DIR } from './demo-folder.ts';
import { ensureConductedAgent, ensureSimulatedCredentials } from './seed-models.ts';
import { seedUser } from './seed-user.ts';

export interface SeededDemo {
  readonly demo: Demo;
  /** The key was created by this start, so the user has not seen it yet. */
  readonly isNewKey: boolean;
  /** The same for the password. */
  readonly isNewPassword: boolean;
  readonly wallet: WalletRecord;
  /** The account has not placed a call yet. */
  readonly isFirstStart: boolean;
}

export interface SeedDemoInput {
  readonly database: Database;
  readonly pepper: KeyPepper;
  /** Seals the keys of the simulated providers. */
  readonly secretKey: SecretKey;
  readonly baseUrl: string;
  /** Where the simulated providers listen. */
  readonly modelsUrl: string;
  readonly demoPath: string;
}

const ACCOUNT_NAME = 'Demo';
const CURRENCY = 'USD';
const OPENING_BALANCE = '25.00';
const NUMBER = e164Schema.parse('+12025550199');
/** For accounts that users create by signing up; those can call test numbers only. */
const SYSTEM_NUMBER = e164Schema.parse('+12025550198');

/**
 * Creates the demo account and everything that a call needs, or finds it. Each part is looked up before it is
 * created, so the next start completes an interrupted one.
 */
export async function seedDemo(input: SeedDemoInput): Promise<SeededDemo> {
  const { database, pepper, secretKey, baseUrl, modelsUrl, demoPath } = input;
  const administration = createAdministration(database, { actor: 'npm start' });
  const accountId = await ensureAccount(administration);
  await ensureFunds(administration, accountId);
  await ensureNumber(administration, accountId);
  await ensureRates(administration);
  await ensureModelRates(administration);
  await ensureSimulatedCredentials(administration, { modelsUrl, secretKey });
  const stored = await readDemo(demoPath);
  const agent = await ensureScriptedAgent(administration, accountId);
  const conducted = (file: 'model-agent.json' | 'cascade-agent.json', knownId: string | undefined) =>
    ensureConductedAgent(administration, accountId, { file, knownId, modelsUrl });
  const modelAgent = await conducted('model-agent.json', stored?.model_agent_id);
  const cascadeAgent = await conducted('cascade-agent.json', stored?.cascade_agent_id);
  const kept = await usableKey(database, pepper, accountId, stored);
  const key = kept ?? (await createKey(administration, accountId, pepper));
  const user = await seedUser(database, accountId, stored);
  const demo: Demo = {
    base_url: baseUrl,
    api_key: key,
    account_id: accountId,
    agent_id: agent.id,
    model_agent_id: modelAgent.id,
    cascade_agent_id: cascadeAgent.id,
    from_number: NUMBER,
    dashboard_url: `${new URL(baseUrl).origin}/`,
    email: user.email,
    password: user.password,
  };
  await writeDemo(demoPath, demo);
  const calls = await createCallReader(database).list({ accountId, filter: {}, after: null, limit: 1 });
  return {
    demo,
    isNewKey: kept === undefined,
    isNewPassword: user.isNewPassword,
    wallet: await administration.wallets.show(accountId),
    isFirstStart: calls.length === 0,
  };
}

async function ensureAccount({ accounts }: Administration): Promise<AccountId> {
  const found = (await accounts.list()).find((account) => account.name === ACCOUNT_NAME);
  return (found ?? (await accounts.create({ name: ACCOUNT_NAME, currency: CURRENCY }))).id;
}

async function ensureFunds({ wallets }: Administration, accountId: AccountId): Promise<void> {
  const amountMicros = parseDecimal(OPENING_BALANCE);
  invariant(amountMicros !== null, 'the opening balance is a decimal');
  // The same key on every start: the account gets the credit once, even after it is spent.
  await wallets.topUp({ accountId, amountMicros, idempotencyKey: 'demo-opening-balance' });
}

async function ensureNumber({ numbers }: Administration, accountId: AccountId): Promise<void> {
  const found = (await numbers.list(accountId)).some((number) => number.e164 === NUMBER);
  if (!found) await numbers.add({ accountId, e164: NUMBER, isDefault: true });
  const ofSystem = await numbers.list(null);
  if (ofSystem.length === 0) await numbers.add({ accountId: null, e164: SYSTEM_NUMBER, isDefault: true });
}

/** An existing deck has the user's own prices and stays. */
async function ensureRates({ rates }: Administration): Promise<void> {
  try {
    await rates.show(CURRENCY);
  } catch (error) {
    if (!(error instanceof CodedError && error.code === 'deck_not_found')) throw error;
    const parsed = parseRatesCsv(await readFile(new URL('rates.csv', DEMO_DIR), 'utf8'));
    invariant(parsed.ok, 'the demo deck can be imported');
    await rates.import({ currency: CURRENCY, rates: parsed.rates });
  }
}

/** The same for the prices of models. */
async function ensureModelRates({ modelRates }: Administration): Promise<void> {
  const decks = await modelRates.decks();
  if (decks.some(({ currency }) => currency === CURRENCY)) return;
  const parsed = parseModelRatesCsv(await readFile(new URL('model-rates.csv', DEMO_DIR), 'utf8'));
  invariant(parsed.ok, 'the demo deck of models can be imported');
  await modelRates.import({ currency: CURRENCY, rates: parsed.rates });
}

async function ensureScriptedAgent({ agents }: Administration, accountId: AccountId): Promise<AgentRecord> {
  const own = (await agents.list(accountId)).find((agent) => agent.accountId === accountId);
  if (own) return own;
  const text = await readFile(new URL('agent.json', DEMO_DIR), 'utf8');
  return agents.create({ accountId, settings: parseAgentSettings(text, 'demo/agent.json') });
}

/** The key of demo.json, if it still works for this account and may do everything; a file from another database does not. */
async function usableKey(
  database: Database,
  pepper: KeyPepper,
  accountId: AccountId,
  demo: StoredDemo | undefined,
): Promise<string | undefined> {
  if (!demo) return undefined;
  const record = await createDirectory(database).findKey(digestApiKey(demo.api_key, pepper));
  const isUsable = record?.accountId === accountId && record.revokedAtMs === null && record.expiresAtMs === null;
  // A demo of an earlier version has a key for calls alone.
  const mayAll = KEY_SCOPES.every((scope) => record?.scopes.includes(scope));
  return isUsable && mayAll ? demo.api_key : undefined;
}

async function createKey({ keys }: Administration, accountId: AccountId, pepper: KeyPepper): Promise<string> {
  return (await keys.create({ accountId, name: 'npm start', pepper, scopes: KEY_SCOPES })).key;
}
