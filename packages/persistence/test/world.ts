import type { AcceptRow, ClaimedCall, DriveStore, QueuedCall, ScheduledCall, ScheduleRow } from '@outdial/calls';
import { acceptRow } from '@outdial/calls/testing';
import {
  agentSettingsSchema,
  DRIVERS,
  type AccountId,
  type AgentId,
  type CallId,
  type ReservationId,
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
  createScheduleStore,
  type Database,
} from '../src/index.ts';
import { seedAccount } from '../src/seeding/index.ts';

export { newCallId, newReservationId, settlementOf } from '@outdial/calls/testing';
export const WORKER = 'worker-1';
export const LEASE_MS = 60_000;

const ANNA = agentSettingsSchema.parse({ name: 'Anna', first_message: 'Hello {{name}}.' });

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
    schedules: createScheduleStore(database),
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

    /** A request for a call that is due now, unless `changes` say otherwise. */
    async scheduleRow(party: Party, changes: Partial<ScheduleRow> = {}): Promise<ScheduleRow> {
      const {
        token: _,
        holdMicros: _hold,
        conducted: _conducted,
        reservationId: arbiterId,
        ...row
      } = await this.row(party);
      const schedule = { scheduledForMs: Date.now(), giveUpAtMs: Date.now() + 3_600_000, retry: null };
      const dueAtMs = (changes.schedule ?? schedule).scheduledForMs ?? Date.now();
      return { ...row, arbiterId, waitingFor: 'time', dueAtMs, schedule, ...changes };
    },

    async scheduled(party: Party, changes: Partial<ScheduleRow> = {}): Promise<ScheduledCall> {
      const outcome = await accepts.schedule(await this.scheduleRow(party, changes));
      if (outcome.kind !== 'scheduled') throw new Error(`the call was not scheduled: ${outcome.kind}`);
      return outcome.call;
    },

    async reservationOf(callId: CallId): Promise<ReservationId> {
      const [row] = await database.side.$queryRaw<{ id: ReservationId | null }[]>`
        SELECT reservation_id AS id FROM calls WHERE id = ${callId}::uuid`;
      if (!row?.id) throw new Error('the call has no reservation');
      return row.id;
    },

    async claimed(party: Party, changes: Partial<AcceptRow> = {}, leaseMs = LEASE_MS): Promise<ClaimedCall> {
      const { id } = await this.queued(party, changes);
      const lines = { names: [], token: await reconciles.currentToken() };
      return claim(drives, id, leaseMs, changes.conducted ? { drivers: DRIVERS, lines } : {});
    },

    async close() {
      await database.close();
      await stores.close();
    },
  };
}

async function createParty(database: Database, balanceMicros: number): Promise<Party> {
  const { id: accountId, agentId } = await seedAccount(database, {
    balanceMicros: BigInt(balanceMicros),
    capacity: 10,
    number: null,
    rate: null,
    agents: [ANNA],
  });
  return { accountId, agentId };
}

export async function claim(
  drives: DriveStore,
  callId: CallId,
  leaseMs = LEASE_MS,
  changes: Partial<Parameters<DriveStore['claim']>[0]> = {},
): Promise<ClaimedCall> {
  const outcome = await drives.claim({ callId, workerId: WORKER, leaseMs, writeAheadDial: false, ...changes });
  if (outcome.kind !== 'claimed') throw new Error(`the call was not claimed: ${outcome.kind}`);
  return outcome.call;
}

/** The item at `index`, wrapping around. */
export function cycle<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('there are no items');
  return item;
}
