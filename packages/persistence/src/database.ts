import { systemClock, type Clock } from '@outdial/kernel';
import { postgresHosts } from '@outdial/postgres-hosts';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool, PoolConfig, QueryResultRow } from 'pg';
import { createCommitGuard } from './connections/commit-guard.ts';
import { createCommitProbe } from './connections/commit-probe.ts';
import { GuardedPool } from './connections/guarded-pool.ts';
import { createPings } from './connections/pings.ts';
import { PrismaClient } from './generated/client.ts';

export interface DatabaseOptions {
  /** `postgresql://…`, with one host or a list. No start-up parameters are sent: poolers in transaction mode would reject them. */
  readonly url: string;
  /** Connections for accepting and driving calls. */
  readonly poolSize?: number;
  /** Connections for everything else, so that slow reads never delay an accept. */
  readonly readPoolSize?: number;
  /** How long a statement may take before its connection is destroyed. */
  readonly queryTimeoutMs?: number;
  /** How long to wait for a free connection, and for a new one, to any host of a list. */
  readonly connectTimeoutMs?: number;
  /** An unused connection is closed after this time. */
  readonly idleTimeoutMs?: number;
  /** Receives errors of idle connections; the pool replaces these connections. */
  readonly onConnectionError?: (error: Error) => void;
  /** How often a commit is probed while commits are in doubt, and the timeout of each probe. */
  readonly probeIntervalMs?: number;
  readonly clock?: Clock;
  /** Whether each connection plans a statement once and keeps it. Not behind a pooler in transaction mode. */
  readonly keepsStatements?: boolean;
}

export interface Database {
  /** For statements that a call waits for: accept, claim, settle and the writes between. */
  readonly hot: PrismaClient;
  /** For reads, administration, and statements that must work while `hot` is stuck. */
  readonly side: PrismaClient;
  /** Statements whose parameters are long, on the connections of `side`. */
  readonly bulk: BulkStatements;
  /** Resolves if Postgres accepts and confirms writes; rejects within a second otherwise. */
  ping(): Promise<void>;
  /** The WAL timeline of this Postgres, as in the gate's token. Rejects within a second without a response. */
  walTimeline(): Promise<string>;
  /** Waits for statements in flight, at most for the statement timeout. */
  close(): Promise<void>;
}

/**
 * Statements without Prisma: it writes parameters as JSON and reads them back, and keeps those of its last hundred debug messages,
 * twenty statements, which is megabytes where one has a hundred kilobytes.
 */
export interface BulkStatements {
  query<Row extends QueryResultRow>(sql: string, values: readonly unknown[]): Promise<readonly Row[]>;
}

/** Longer than a standby's restart takes. */
const PROBE_INTERVAL_MS = 2_000;

export function createDatabase(options: DatabaseOptions): Database {
  const { url, poolSize = 10, readPoolSize = 5, queryTimeoutMs = 5_000, connectTimeoutMs = 1_000 } = options;
  const { onConnectionError = () => {}, clock = systemClock } = options;
  const { idleTimeoutMs = 10_000, probeIntervalMs = PROBE_INTERVAL_MS, keepsStatements = false } = options;
  const hosts = postgresHosts(url, clock);
  const shared = { ...hosts.pool, keepAlive: true, idleTimeoutMillis: idleTimeoutMs } satisfies PoolConfig;
  const guard = createCommitGuard({
    clock,
    probe: createCommitProbe({ hosts, clock, timeoutMs: probeIntervalMs }),
    probeIntervalMs,
    limit: poolSize,
  });
  // query_timeout is the driver's: a Postgres that hangs does not enforce statement_timeout either. The pool
  // then closes the connection, because the late result could be taken for that of the next statement.
  const timeouts = { query_timeout: queryTimeoutMs, connectionTimeoutMillis: connectTimeoutMs } satisfies PoolConfig;

  function open(max: number): { readonly client: PrismaClient; readonly pool: Pool } {
    const pool = new GuardedPool({ config: { ...shared, ...timeouts, max }, guard, clock });
    // Prisma listens only between its first statement and its end.
    pool.on('error', onConnectionError);
    const naming = keepsStatements ? { statementNameGenerator: nameStatements() } : {};
    return { client: new PrismaClient({ adapter: new PrismaPg(pool, { onConnectionError, ...naming }) }), pool };
  }

  const hot = open(poolSize);
  const side = open(readPoolSize);
  const pings = createPings({ config: shared, clock, guard, onConnectionError });
  return {
    hot: hot.client,
    side: side.client,
    bulk: {
      query: async <Row extends QueryResultRow>(sql: string, values: readonly unknown[]) =>
        (await side.pool.query<Row>(sql, [...values])).rows,
    },
    ping: () => pings.ping(),
    walTimeline: () => pings.walTimeline(),
    async close() {
      await Promise.all([hot.client.$disconnect(), side.client.$disconnect()]);
      await Promise.all([hot.pool.end(), side.pool.end(), pings.close(), guard.stop()]);
    },
  };
}

/** One name for each text. */
function nameStatements(): (statement: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const name = names.get(sql) ?? `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}
