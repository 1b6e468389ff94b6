import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountId, WebhookEndpointId } from '@outdial/contracts';
import { createEgressClient, envEgressAllow, type EgressClient, type EgressOptions } from '@outdial/egress';
import { createLogger, invariant, systemClock } from '@outdial/kernel';
import { createDatabase, createWebhookEndpoints, createWebhookStore } from '@outdial/persistence';
import { seedAccount } from '@outdial/persistence/seeding';
import { parseSecretKey, type SecretKey } from '@outdial/secrets';
import { createSecret, createWebhookSender, SENDER_TIMINGS } from '@outdial/webhooks';
import { Pool, type QueryResultRow } from 'pg';
import { pendingDeliveries } from '../check/webhooks.ts';
import { openReceivers, type Receivers } from '../stack/receivers.ts';
import { SECRET_KEY_HEX } from '../stack/services.ts';

/** What a sender does with one request. */
export type Network = Pick<EgressClient, 'request'>;

/** An account with an endpoint on a real database, its receiver, and senders as workers have them. */
export interface DrillStage {
  readonly accountId: AccountId;
  readonly endpointId: WebhookEndpointId;
  readonly receivers: Receivers;
  readonly store: ReturnType<typeof createWebhookStore>;
  readonly endpoints: ReturnType<typeof createWebhookEndpoints>;
  sql<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A call with these events of its timeline, each written by its own statement. */
  call(events: readonly string[]): Promise<void>;
  /** Sends until nothing is pending, or for as long as `whilst` says so. */
  send(network?: Network, whilst?: () => Promise<boolean>): Promise<void>;
  /** As if all waits and claims were over. */
  passTime(): Promise<void>;
  close(): Promise<void>;
}

/** Drills share their machine with others. */
const PATIENCE = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
const POLL_MS = 20;
/** What has no end after that is left to the checks. */
const LIMIT_MS = 20_000;

export async function openDrillStage(databaseUrl: string, urlOf = (url: string) => url): Promise<DrillStage> {
  const receivers = await openReceivers();
  const pool = new Pool({ connectionString: databaseUrl, max: 2 });
  // The database is dropped afterwards, while connections may still be closing.
  pool.on('error', () => undefined);
  const database = createDatabase({ url: databaseUrl, poolSize: 2, readPoolSize: 2, ...PATIENCE });
  const secretKey = parseSecretKey(SECRET_KEY_HEX);
  invariant(secretKey !== null, '32 bytes make a key');
  const { id: accountId, agentId } = await seedAccount(database, {});
  const endpoints = createWebhookEndpoints(database, { accountId, actor: 'chaos' });
  const secret = createSecret();
  const url = urlOf(receivers.open(accountId, secret));
  const settings = { url, events: [], description: '', ratePerSecond: null, maxOfAccount: 1 };
  const { id: endpointId } = await endpoints.create({ ...settings, secret, secretKey });
  const store = createWebhookStore(database, { workerId: 'drill' });
  const sql = async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Row>(text, [...values])).rows;
  const isPending = async () => (await pendingDeliveries({ sql })) > 0;

  return {
    accountId,
    endpointId,
    receivers,
    store,
    endpoints,
    sql,
    async call(events) {
      const id = randomUUID();
      await sql(INSERT_CALL, [id, accountId, agentId]);
      for (const type of events) await sql(INSERT_EVENT, [id, type]);
    },
    async send(network, whilst = isPending) {
      const egress = network ? null : localEgress();
      const sender = startSender(store, network ?? egress ?? NOWHERE, secretKey);
      const untilMs = performance.now() + LIMIT_MS;
      while ((await whilst()) && performance.now() < untilMs) await sleep(POLL_MS);
      await sender.stop();
      await egress?.close();
    },
    passTime: async () =>
      void (await sql(`
        UPDATE webhook_deliveries SET due_at = LEAST(due_at, clock_timestamp()), claimed_until = LEAST(claimed_until, clock_timestamp())
        WHERE state = 'pending'`)),
    async close() {
      await Promise.all([receivers.close(), pool.end(), database.close()]);
    },
  };
}

/** To receivers on this machine. */
export const localEgress = (options: Partial<EgressOptions> = {}): EgressClient =>
  createEgressClient({ allowed: envEgressAllow.parse('127.0.0.1'), proxy: null, ...options });

const NOWHERE: Network = { request: () => Promise.reject(new Error('there is no network')) };

function startSender(store: DrillStage['store'], egress: Network, secretKey: SecretKey) {
  const sender = createWebhookSender({
    store,
    egress,
    secretKey,
    version: 'drill',
    concurrency: 400,
    observer: { attempted: () => undefined, firstAttempt: () => undefined },
    clock: systemClock,
    logger: createLogger({ name: 'drill', level: 'silent' }),
    random: Math.random,
    timings: { ...SENDER_TIMINGS, roundEveryMs: 50, roundGapMs: 10 },
  });
  sender.start();
  return sender;
}

const INSERT_CALL = `
  INSERT INTO calls (
    id, account_id, agent_id, agent_version, caller_number, callee_number, status, ended_reason, currency, rate_prefix,
    connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
    hold_micros, max_duration_seconds, ring_timeout_seconds, request_id, created_at, expires_at, started_at, ended_at,
    settled_at, epoch, worker_id)
  VALUES ($1, $2, $3, 1, '+12025550199', '+12025550101', 'ended', 'busy', 'USD', '1', 0, 12000, 60, 60, gen_random_uuid(),
    24000, 1800, 30, 'drill', now() - interval '1 second', now() + interval '10 minutes', now(), now(), now(), 1, 'drill')`;
const INSERT_EVENT = 'INSERT INTO call_events (call_id, type, at) VALUES ($1, $2, clock_timestamp())';
