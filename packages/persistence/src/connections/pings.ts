import { pause, type Clock } from '@outdial/kernel';
import { Pool, type ClientBase, type PoolConfig } from 'pg';
import { CommitsStalled, type CommitGuard } from './commit-guard.ts';
import { assertWritable } from './read-only.ts';
import { surviveLosses } from './survive-losses.ts';

export interface PingsOptions {
  readonly config: PoolConfig;
  readonly clock: Clock;
  readonly guard: Pick<CommitGuard, 'confirmed'>;
  readonly onConnectionError: (error: Error) => void;
}

/** Checks Postgres on a dedicated connection. Each check rejects within a second. */
export interface Pings {
  /** Resolves if Postgres accepts and confirms writes. Concurrent callers share one query. */
  ping(): Promise<void>;
  walTimeline(): Promise<string>;
  close(): Promise<void>;
}

/** For connecting and for the response each. Postgres needs a millisecond; a slower one is not ready. */
const PING_TIMEOUT_MS = 450;

export function createPings({ config, clock, guard, onConnectionError }: PingsOptions): Pings {
  const pool = new Pool({
    ...config,
    max: 1,
    query_timeout: PING_TIMEOUT_MS,
    connectionTimeoutMillis: PING_TIMEOUT_MS,
  });
  surviveLosses(pool);
  pool.on('error', onConnectionError);
  let pinging: Promise<void> | null = null;

  async function sendPing(): Promise<void> {
    try {
      await Promise.all([withConnection(assertWritable), confirmedInTime()]);
    } finally {
      pinging = null;
    }
  }

  /** A connection whose query failed is never used again. */
  async function withConnection<Answer>(ask: (client: ClientBase) => Promise<Answer>): Promise<Answer> {
    const client = await pool.connect();
    try {
      const answer = await ask(client);
      client.release();
      return answer;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async function confirmedInTime(): Promise<void> {
    const over = new AbortController();
    const late = pause(clock, PING_TIMEOUT_MS, over.signal).then(() => 'late' as const);
    const first = await Promise.race([guard.confirmed().then(() => 'confirmed' as const), late]);
    over.abort();
    if (first === 'late') throw new CommitsStalled();
  }

  function ping(): Promise<void> {
    pinging ??= sendPing();
    return pinging;
  }

  return {
    ping,
    async walTimeline() {
      // One connection serves both: a query that waited for it would time out.
      await ping();
      return withConnection(readWalTimeline);
    },
    close: () => pool.end(),
  };
}

async function readWalTimeline(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ timeline: string }>('SELECT postgres_timeline() AS timeline');
  return rows[0]?.timeline ?? '';
}
