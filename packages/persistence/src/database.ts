import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type PoolConfig } from 'pg';
import { Prisma, PrismaClient } from './generated/client.ts';

export { Prisma, PrismaClient };

export interface DatabaseOptions {
  /** `postgresql://…`. Nothing is sent as a start-up parameter: poolers in transaction mode would refuse it. */
  readonly url: string;
  /** Connections for accepting and driving calls. */
  readonly poolSize?: number;
  /** Connections for everything else, so that slow readers never keep an accept waiting. */
  readonly readPoolSize?: number;
  /** How long a statement may take before its connection is destroyed. */
  readonly queryTimeoutMs?: number;
  /** How long to wait for a free connection, and for a new one. */
  readonly connectTimeoutMs?: number;
  /** After which a connection that nobody uses is closed. */
  readonly idleTimeoutMs?: number;
  /** Hears of connections that broke while nobody used them; the pool replaces them by itself. */
  readonly onConnectionError?: (error: Error) => void;
}

export interface Database {
  /** For what a call's life waits for: accept, claim, settle and the writes between. */
  readonly hot: PrismaClient;
  /** For readings, administration, and whatever must still get through while `hot` is stuck. */
  readonly side: PrismaClient;
  /** Resolves if Postgres answers at once; rejects within a second otherwise. */
  ping(): Promise<void>;
  /** Waits for the statements under way, at most as long as one may take. */
  close(): Promise<void>;
}

/** For connecting and for the answer each. Postgres needs a millisecond; who needs longer than this is not ready. */
const PING_TIMEOUT_MS = 450;

export function createDatabase(options: DatabaseOptions): Database {
  const { url, poolSize = 10, readPoolSize = 5, queryTimeoutMs = 5_000, connectTimeoutMs = 1_000 } = options;
  const onConnectionError = options.onConnectionError ?? (() => {});
  const { idleTimeoutMs = 10_000 } = options;
  const shared = { connectionString: url, keepAlive: true, idleTimeoutMillis: idleTimeoutMs } satisfies PoolConfig;

  function client(max: number): PrismaClient {
    // query_timeout is the driver's own: a Postgres that hangs does not keep its statement_timeout either. The pool
    // then closes that connection, because its answer may still arrive and would be taken for the next one's.
    const pool = { ...shared, max, query_timeout: queryTimeoutMs, connectionTimeoutMillis: connectTimeoutMs };
    const adapter = new PrismaPg(pool, { onPoolError: onConnectionError, onConnectionError });
    return new PrismaClient({ adapter });
  }

  const hot = client(poolSize);
  const side = client(readPoolSize);
  const pings = new Pool({
    ...shared,
    max: 1,
    query_timeout: PING_TIMEOUT_MS,
    connectionTimeoutMillis: PING_TIMEOUT_MS,
  });
  pings.on('error', onConnectionError);
  let pinging: Promise<void> | null = null;

  async function sendPing(): Promise<void> {
    try {
      await pings.query('SELECT 1');
    } finally {
      pinging = null;
    }
  }

  return {
    hot,
    side,
    ping() {
      pinging ??= sendPing();
      return pinging;
    },
    async close() {
      await Promise.all([hot.$disconnect(), side.$disconnect(), pings.end()]);
    },
  };
}
