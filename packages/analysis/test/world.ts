import { rebuildGate, type Gate, type PinnedModel } from '@outdial/calls';
import { acceptRow, MemoryCallQueue, settlementOf } from '@outdial/calls/testing';
import {
  DRIVERS,
  agentSettingsSchema,
  type AccountId,
  type AgentId,
  type AgentSettings,
  type CallId,
  type Turn,
} from '@outdial/contracts';
import { createLogger, invariant, systemClock } from '@outdial/kernel';
import {
  createAcceptStore,
  createAnalysisStore,
  createCallReader,
  createDatabase,
  createDriveStore,
  createReconcileStore,
  type Database,
} from '@outdial/persistence';
import { seedAccount } from '@outdial/persistence/seeding';
import { createFundsGate, createGate } from '@outdial/reservations';
import { testStores } from '@outdial/testkit';
import { Redis } from 'ioredis';
import { conductedSettings, turn } from './job.ts';

export const logger = createLogger({ name: 'test', level: 'silent' });

/** 0.002 a thousand tokens in, half of that if cached, 0.01 out. */
const RATES = [
  { unit: 'input_text_token', priceMicrosPerMillion: 2_000_000 },
  { unit: 'cached_input_text_token', priceMicrosPerMillion: 1_000_000 },
  { unit: 'output_text_token', priceMicrosPerMillion: 10_000_000 },
].map((rate) => ({ component: 'llm', provider: 'openai', model: 'gpt-5-mini', ...rate }));

/** Of the chat server's 800 tokens in, 200 cached and 50 out. */
export const COST_MICROS = 1_600n + 200n + 500n;
/** Of a settled call. */
export const CALL_COST_MICROS = 17_000n;

export interface EndedOptions {
  readonly analysis?: object;
  readonly said?: readonly Turn[];
  readonly models?: readonly PinnedModel[];
  readonly rates?: readonly object[];
  readonly balanceMicros?: bigint;
  /** A call of the same account. */
  readonly sibling?: Ended;
}

export interface Ended {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly agentId: AgentId;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Real stores, and calls that have ended and are to be analyzed. */
export async function openWorld() {
  const stores = await testStores();
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: stores.databaseUrl, poolSize: 6, readPoolSize: 6, ...patience });
  const redis = new Redis(stores.redisUrl);
  const gate = createGate({ redis });
  const reconcileStore = createReconcileStore(database);
  const queue = new MemoryCallQueue();
  const rebuild = () => rebuildGate({ gate, reconcileStore, queue, logger });
  await rebuild();

  return {
    database,
    gate,
    rebuild,
    reconcileStore,
    funds: createFundsGate({ redis }),
    store: createAnalysisStore(database),
    reader: createCallReader(database),
    ended: (options: EndedOptions = {}) => endedCall(database, gate, options),
    books: (accountId: AccountId) => booksOf(database, accountId),
    async close() {
      redis.disconnect();
      await database.close();
      await stores.close();
    },
  };
}

async function endedCall(database: Database, gate: Gate, options: EndedOptions): Promise<Ended> {
  const { said = [turn('agent', 'Hello.'), turn('callee', 'Yes.', 900)], balanceMicros = 100_000_000n } = options;
  const settings = agentSettingsSchema.parse(conductedSettings(options.analysis));
  const { accountId, agentId } = options.sibling ?? (await seeded(database, balanceMicros, settings));
  const token = await createReconcileStore(database).currentToken();
  const row = acceptRow({ accountId, agentId }, token);
  const accepted = await createAcceptStore(database, { clock: systemClock }).accept(row);
  invariant(accepted.kind === 'accepted', `the call is accepted, and not ${accepted.kind}`);
  await database.side.$executeRaw`
    INSERT INTO model_calls (call_id, driver, needs, rates)
    VALUES (${row.callId}::uuid, 'realtime', ${JSON.stringify(options.models ?? [])}::jsonb,
            ${JSON.stringify(options.rates ?? RATES)}::jsonb)`;
  const drives = createDriveStore(database);
  const claim = await drives.claim({
    callId: row.callId,
    workerId: 'w',
    leaseMs: 60_000,
    writeAheadDial: false,
    drivers: DRIVERS,
    lines: { names: [], token },
  });
  invariant(claim.kind === 'claimed', 'the call is claimed');
  const settled = await drives.settle(settlementOf(claim.call, { transcript: said, wantsAnalysis: true }));
  invariant(settled.kind === 'settled', 'the call is settled');
  await gate.release(settled.release);
  return { callId: row.callId, accountId, agentId };
}

async function seeded(database: Database, balanceMicros: bigint, settings: AgentSettings) {
  const { id, agentId } = await seedAccount(database, { balanceMicros, agents: [settings], number: null, rate: null });
  return { accountId: id, agentId };
}

async function booksOf(database: Database, accountId: AccountId) {
  const [row] = await database.side.$queryRaw<{ balance: bigint; ledger: bigint; analyses: bigint[] }[]>`
    SELECT w.balance_micros AS balance,
      (SELECT sum(e.amount_micros) FROM ledger_entries e WHERE e.account_id = w.account_id)::bigint AS ledger,
      ARRAY(SELECT e.amount_micros FROM ledger_entries e
            WHERE e.account_id = w.account_id AND e.kind = 'analysis_charge' ORDER BY e.id) AS analyses
    FROM wallets w WHERE w.account_id = ${accountId}::uuid`;
  invariant(row, 'the account has a wallet');
  return row;
}
