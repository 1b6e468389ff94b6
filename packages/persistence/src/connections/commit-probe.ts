import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { Clock } from '@outdial/kernel';
import type { PostgresHosts } from '@outdial/postgres-hosts';
import type { Client } from 'pg';
import { requestCancel } from './cancel-request.ts';

export interface CommitProbeOptions {
  readonly hosts: PostgresHosts;
  readonly clock: Clock;
  /** For connecting and committing together. */
  readonly timeoutMs: number;
}

/** Resolves once Postgres has confirmed a commit; rejects on a timeout or when the signal aborts. */
export type CommitProbe = (stopping: AbortSignal) => Promise<void>;

/** Deletes rows of ended processes after a day, skipping those that another process is deleting. */
const PROBE_SQL = `
  WITH ended AS (
    DELETE FROM commit_probes WHERE process_id IN (
      SELECT process_id FROM commit_probes WHERE probed_at < now() - interval '1 day' LIMIT 100 FOR UPDATE SKIP LOCKED)
  )
  INSERT INTO commit_probes (process_id, probed_at) VALUES ($1, now())
  ON CONFLICT (process_id) DO UPDATE SET probed_at = excluded.probed_at`;

/** The table is missing or not writable. That says nothing about commits and must not stop other statements. */
const CANNOT_BE_PROBED = /^42/;

/**
 * Makes a probe that commits a row of this process.
 *
 * A backend whose commit waits for a lost standby does not notice that its client is gone, and would wait forever. So a
 * late probe is canceled, which makes Postgres keep its row without the standby. That is harmless for this row alone:
 * canceling any other statement would acknowledge a write that a failover may lose.
 */
export function createCommitProbe({ hosts, clock, timeoutMs }: CommitProbeOptions): CommitProbe {
  const processId = `${hostname()}:${process.pid}:${randomUUID()}`;
  return async function probeCommit(stopping) {
    const client = hosts.client({ connectionTimeoutMillis: timeoutMs });
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
      // Its promise waits for a connection that is destroyed here.
      void client.end();
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
  // Postgres has not authenticated the connection yet, so there is no statement to cancel.
  if (typeof processId !== 'number' || typeof secretKey !== 'number') return;
  await requestCancel({ host: client.host, port: client.port, processId, secretKey });
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}
