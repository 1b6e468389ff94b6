import { randomUUID } from 'node:crypto';
import { invariant } from '@outdial/kernel';
import { accountSeed } from '@outdial/persistence/seeding';
import { parseSecretKey, sealSecret } from '@outdial/secrets';
import { query } from '../stage.ts';
import { HANGING_PATH } from './paths.ts';

/** An account with one endpoint, and calls whose events are still to be written. */
export interface Subscriber {
  readonly accountId: string;
  readonly agentId: string;
  readonly endpointId: string;
  readonly hangs: boolean;
}

export const SECRET_KEY_HEX = '11'.repeat(32);
/** `whsec_`: the receivers of a benchmark verify nothing. */
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** One at each of the ports. @param hanging how many of the endpoints never answer */
export async function addSubscribers(
  databaseUrl: string,
  { ports, hanging }: { readonly ports: readonly number[]; readonly hanging: number },
): Promise<readonly Subscriber[]> {
  const subscribers: Subscriber[] = [];
  for (const [index, port] of ports.entries()) {
    const { account, plantIn } = accountSeed({ name: `Subscriber ${index}`, rate: null });
    await plantIn((text, values) => query(databaseUrl, text, values));
    const hangs = index < hanging;
    const url = `http://127.0.0.1:${port}${hangs ? HANGING_PATH : '/'}${index}`;
    const endpointId = await addEndpoint(databaseUrl, account.id, url);
    subscribers.push({ accountId: account.id, agentId: account.agentId, endpointId, hangs });
  }
  return subscribers;
}

/** For all types. @returns its id */
export async function addEndpoint(databaseUrl: string, accountId: string, url: string): Promise<string> {
  const key = parseSecretKey(SECRET_KEY_HEX);
  invariant(key !== null, '32 bytes make a key');
  const id = randomUUID();
  const sealed = sealSecret(key, SECRET, { purpose: 'webhook secret', owner: id });
  await query(
    databaseUrl,
    `INSERT INTO webhook_endpoints (id, account_id, kind, url, api_version, sealed_secret, created_by)
     VALUES ($1, $2, 'standing', $3, '2026-12-01', $4, 'bench')`,
    [id, accountId, url, sealed],
  );
  return id;
}

/** Ended calls without events, in turn for each subscriber. @returns their ids */
export async function addCalls(
  databaseUrl: string,
  subscribers: readonly Subscriber[],
  count: number,
): Promise<readonly string[]> {
  const rows = await query<{ id: string }>(
    databaseUrl,
    `INSERT INTO calls (
       id, account_id, agent_id, agent_version, caller_number, callee_number, status, ended_reason, currency, rate_prefix,
       connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
       hold_micros, max_duration_seconds, ring_timeout_seconds, request_id, created_at, expires_at, started_at, ended_at,
       settled_at, epoch, worker_id)
     SELECT gen_random_uuid(), ($1::uuid[])[1 + i % cardinality($1::uuid[])], ($2::uuid[])[1 + i % cardinality($2::uuid[])], 1,
       '+12025550199', '+12025550105', 'ended', 'callee_hangup', 'USD', '1', 0, 12000, 60, 60, gen_random_uuid(), 24000,
       1800, 30, 'bench', now() - interval '40 s', now() + interval '10 min', now() - interval '30 s', now(), now(), 1, 'bench'
     FROM generate_series(0, $3::int - 1) AS i RETURNING id::text`,
    [subscribers.map(({ accountId }) => accountId), subscribers.map(({ agentId }) => agentId), count],
  );
  return rows.map(({ id }) => id);
}
