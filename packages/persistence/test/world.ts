import { randomUUID } from 'node:crypto';
import type { AcceptRow, ClaimedCall, DriveStore, GateToken, QueuedCall, Settlement } from '@outdial/calls';
import {
  accountIdSchema,
  agentIdSchema,
  agentSettingsSchema,
  callIdSchema,
  e164Schema,
  micros,
  reservationIdSchema,
  type AccountId,
  type AgentId,
  type CallId,
} from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { testStores } from '@outdial/testkit';
import {
  createAcceptStore,
  createCallReader,
  createDatabase,
  createDriveStore,
  createEndStore,
  createReconcileStore,
  type Database,
} from '../src/index.ts';

export const newCallId = (): CallId => callIdSchema.parse(randomUUID());
export const newReservationId = () => reservationIdSchema.parse(randomUUID());
export const WORKER = 'worker-1';
export const LEASE_MS = 60_000;

export interface Party {
  readonly accountId: AccountId;
  readonly agentId: AgentId;
}

/** A database for one test file, its stores, and shortcuts for common set-ups. */
export type World = Awaited<ReturnType<typeof createWorld>>;

export async function createWorld() {
  const stores = await testStores();
  // Long timeouts: tests share their machine with others. The tests of the pools test timeouts.
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: stores.databaseUrl, poolSize: 8, readPoolSize: 4, ...patience });
  // Stores must work in any session time zone: this one has an offset of 5:45 hours.
  const [name] = await database.side.$queryRaw<{ name: string }[]>`SELECT current_database()::text AS name`;
  await database.side.$executeRawUnsafe(`ALTER DATABASE "${name?.name}" SET timezone TO 'Asia/Kathmandu'`);
  await database.side.$disconnect();

  const accepts = createAcceptStore(database, { clock: systemClock });
  const drives = createDriveStore(database);
  const reconciles = createReconcileStore(database);

  return {
    database,
    databaseUrl: stores.databaseUrl,
    accepts,
    drives,
    reconciles,
    ends: createEndStore(database),
    reader: createCallReader(database),

    async party(balanceMicros = 1_000_000_000): Promise<Party> {
      return createParty(database, balanceMicros);
    },

    /** A reserved request, as the gate grants it. */
    async row(party: Party, changes: Partial<AcceptRow> = {}): Promise<AcceptRow> {
      return acceptRow(party, await reconciles.currentToken(), changes);
    },

    async queued(party: Party, changes: Partial<AcceptRow> = {}): Promise<QueuedCall> {
      const outcome = await accepts.accept(acceptRow(party, await reconciles.currentToken(), changes));
      if (outcome.kind !== 'accepted') throw new Error(`the call was not accepted: ${outcome.kind}`);
      return outcome.call;
    },

    async claimed(party: Party, changes: Partial<AcceptRow> = {}, leaseMs = LEASE_MS): Promise<ClaimedCall> {
      const { id } = await this.queued(party, changes);
      return claim(drives, id, leaseMs);
    },

    async close() {
      await database.close();
      await stores.close();
    },
  };
}

async function createParty({ side }: Database, balanceMicros: number): Promise<Party> {
  const accountId = accountIdSchema.parse(randomUUID());
  const agentId = agentIdSchema.parse(randomUUID());
  const settings = JSON.stringify(agentSettingsSchema.parse({ name: 'Anna', first_message: 'Hello {{name}}.' }));
  await side.$executeRaw`INSERT INTO accounts (id, name, currency) VALUES (${accountId}::uuid, 'Acme', 'USD')`;
  await side.$executeRaw`INSERT INTO wallets (account_id, balance_micros) VALUES (${accountId}::uuid, ${balanceMicros})`;
  await side.$executeRaw`INSERT INTO agents (id, account_id) VALUES (${agentId}::uuid, ${accountId}::uuid)`;
  await side.$executeRaw`
    INSERT INTO agent_versions (agent_id, version, settings) VALUES (${agentId}::uuid, 1, ${settings}::jsonb)`;
  return { accountId, agentId };
}

function acceptRow(party: Party, token: GateToken, changes: Partial<AcceptRow>): AcceptRow {
  return {
    callId: newCallId(),
    ...party,
    agentVersion: 1,
    callerNumber: e164Schema.parse('+12025550100'),
    calleeNumber: e164Schema.parse('+12025550143'),
    currency: 'USD',
    rate: {
      prefix: '1',
      connectionFeeMicros: micros(5_000),
      pricePerMinuteMicros: micros(12_000),
      initialIncrementSeconds: 60,
      incrementSeconds: 60,
    },
    holdMicros: micros(29_000),
    reservationId: newReservationId(),
    token,
    limits: { maxDurationSeconds: 1_800, ringTimeoutSeconds: 30 },
    variables: { name: 'Zoë' },
    metadata: { order: { lines: [1, 2.5, null] } },
    idempotency: null,
    requestId: 'req-1',
    queueTtlSeconds: 600,
    sendByMs: Number.POSITIVE_INFINITY,
    ...changes,
  };
}

export async function claim(drives: DriveStore, callId: CallId, leaseMs = LEASE_MS): Promise<ClaimedCall> {
  const outcome = await drives.claim({ callId, workerId: WORKER, leaseMs, writeAheadDial: false });
  if (outcome.kind !== 'claimed') throw new Error(`the call was not claimed: ${outcome.kind}`);
  return outcome.call;
}

/** A typical settlement: answered after 2 s, ended after 10 s, charged. */
export function settlementOf(call: ClaimedCall, changes: Partial<Settlement> = {}): Settlement {
  return {
    callId: call.id,
    epoch: call.epoch,
    reason: 'agent_hangup',
    neverDialled: false,
    answeredAtMs: call.startedAtMs + 2_000,
    endedAtMs: call.startedAtMs + 10_000,
    charge: { billableSeconds: 60, costMicros: micros(17_000) },
    sipCode: 200,
    answeredBy: 'human',
    transcript: null,
    summary: null,
    recordingKey: null,
    ...changes,
  };
}

/** The item at `index`, wrapping around. */
export function cycle<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('there are no items');
  return item;
}
