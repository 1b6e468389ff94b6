import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { Clock } from '@outdial/kernel';
import { Client } from 'pg';
import { requestCancel } from './cancel-request.ts';

export interface CommitProbeOptions {
  readonly url: string;
  readonly clock: Clock;
  /** For connecting and committing together. */
  readonly timeoutMs: number;
}

/** Resolves once Postgres has confirmed a commit; rejects if it does not in time, or once the signal aborts. */
export type CommitProbe = (stopping: AbortSignal) => Promise<void>;

/** Rows of processes that have ended are removed after a day. Another process may be at the same rows: it has them. */
const PROBE_SQL = `
  WITH ended AS (
    DELETE FROM commit_probes WHERE process_id IN (
      SELECT process_id FROM commit_probes WHERE probed_at < now() - interval '1 day' LIMIT 100 FOR UPDATE SKIP LOCKED)
  )
  INSERT INTO commit_probes (process_id, probed_at) VALUES ($1, now())
  ON CONFLICT (process_id) DO UPDATE SET probed_at = excluded.probed_at`;

/** The table is not there yet, or the role may not write it: says nothing about commits, and must not stop the rest. */
const CANNOT_BE_PROBED = /^42/;

/**
 * Makes a probe that commits a row of this process.
 *
 * A commit that waits for a lost standby is not noticed to have lost its client: its backend would wait for ever. So a
 * probe that is late is cancelled, which makes Postgres keep its row without the standby. That is harmless for this
 * row alone: cancelling any other statement would acknowledge what a failover may lose.
 */
export function createCommitProbe({ url, clock, timeoutMs }: CommitProbeOptions): CommitProbe {
  const processId = `${hostname()}:${process.pid}:${randomUUID()}`;
  return async function probeCommit(stopping) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    const late = new AbortController();
    const timer = clock.after(timeoutMs, () => late.abort());
    const over = AbortSignal.any([late.signal, stopping]);
    try {
      await Promise.race([commit(client, processId), rejectionAt(over)]);
    } catch (error) {
      if (over.aborted) await cancel(client);
      if (!CANNOT_BE_PROBED.test(String(property(error, 'code')))) throw error;
    } finally {
      timer.cancel();
      client.connection.stream.destroy();
    }
  };
}

async function commit(client: Client, processId: string): Promise<void> {
  await client.connect();
  await client.query(PROBE_SQL, [processId]);
}

function rejectionAt(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the commit was not confirmed in time')));
  });
}

async function cancel(client: Client): Promise<void> {
  const processId = property(client, 'processID');
  const secretKey = property(client, 'secretKey');
  // Postgres has not let it in yet, so that there is nothing to cancel.
  if (typeof processId !== 'number' || typeof secretKey !== 'number') return;
  await requestCancel({ host: client.host, port: client.port, processId, secretKey });
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}
