import { migrationOf } from './migration-of.ts';
import type { Mutant } from './mutant.ts';

const LUA = 'packages/reservations/src/lua';

/** The safeguards that keep the gate and Postgres consistent. */
export const GATE_MUTANTS = {
  generation: {
    guarantee: 'a reservation of an earlier generation of the gate becomes no call',
    patches: [
      {
        file: migrationOf('FUNCTION', 'accept_calls'),
        find: `      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM json_to_recordset(batch) AS r(
      id uuid, account_id uuid,`,
        replace: `      true AS is_current
    FROM json_to_recordset(batch) AS r(
      id uuid, account_id uuid,`,
      },
    ],
    profile: 'batches',
    seed: 1,
  },
  generation_per_row: {
    guarantee: 'the generation is compared for each row of a batch',
    patches: [
      {
        file: migrationOf('FUNCTION', 'accept_calls'),
        find: `      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM json_to_recordset(batch) AS r(
      id uuid, account_id uuid,`,
        replace: `      bool_or(r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1)
        AND r.timeline = (SELECT postgres_timeline())) OVER () AS is_current
    FROM json_to_recordset(batch) AS r(
      id uuid, account_id uuid,`,
      },
    ],
    profile: 'batches',
    seed: 1,
  },
  redis_identity: {
    guarantee: 'the gate is closed on a Redis that it was not published to',
    patches: [
      {
        file: `${LUA}/includes/identity.lua`,
        find: `  return runId
    and replicationId
    and string.find`,
        replace: `  return runId
    and replicationId
    or string.find`,
      },
      {
        file: `${LUA}/begin-rebuild-1.lua`,
        find: 'if knownRunId ~= runId or knownReplicationId ~= replicationId then',
        replace: 'if not knownRunId then',
      },
    ],
    profile: 'stale_redis',
    seed: 2,
  },
  replication_id: {
    guarantee: 'a failover and failback is detected by the replication id',
    patches: [
      {
        file: `${LUA}/includes/identity.lua`,
        find: `
    and string.find(redis.call('INFO', 'replication'), '\\nmaster_replid:' .. replicationId .. '\\r', 1, true) ~= nil`,
        replace: '',
      },
      {
        file: `${LUA}/begin-rebuild-1.lua`,
        find: 'if knownRunId ~= runId or knownReplicationId ~= replicationId then',
        replace: 'if knownRunId ~= runId then',
      },
    ],
    profile: 'stale_redis',
    seed: 26,
  },
  one_snapshot: {
    guarantee: 'a rebuild reads open calls and balances in one statement',
    patches: [
      {
        file: 'packages/persistence/src/reconcile/snapshot.ts',
        find: 'export async function readSnapshot({ side }: Database, token: GateToken): Promise<GateSnapshot> {\n',
        replace: `export async function readSnapshot({ side }: Database, token: GateToken): Promise<GateSnapshot> {
  const [early] = await side.$queryRaw<SnapshotRow[]>\`
    SELECT json_agg(json_build_object(
         'accountId', a.id, 'balanceMicros', w.balance_micros, 'balanceVersion', w.version,
         'capacity', a.capacity, 'capacityVersion', a.capacity_version)) AS accounts
       FROM accounts a JOIN wallets w ON w.account_id = a.id\`;
`,
      },
      {
        file: 'packages/persistence/src/reconcile/snapshot.ts',
        find: 'accounts: row.accounts.map(',
        replace: 'accounts: (early?.accounts ?? []).map(',
      },
    ],
    profile: 'rebuilds',
    seed: 87,
  },
  tombstone: {
    guarantee: 'a reservation that was given up is void: its late commit fails',
    patches: [
      {
        file: migrationOf('FUNCTION', 'void_reservation'),
        find: `  INSERT INTO reservations (id, state) VALUES (reservation, 'void') ON CONFLICT (id) DO NOTHING;
`,
        replace: '',
      },
    ],
    profile: 'retries',
    seed: 42,
  },
  release_by_reservation: {
    guarantee: 'a release frees the named reservation and no other of the same call',
    patches: [
      {
        file: `${LUA}/release-3.lua`,
        find: 'hold.reservationId == reservationId and ',
        replace: '',
      },
    ],
    profile: 'retries',
    seed: 32,
  },
  balance_version: {
    guarantee: 'a balance is replaced only by a newer one',
    patches: [
      {
        file: `${LUA}/includes/account.lua`,
        find: `  if balanceVersion <= account.balanceVersion then
    return false
  end
`,
        replace: '',
      },
    ],
    profile: 'late_balances',
    seed: 1,
  },
} satisfies Readonly<Record<string, Mutant>>;
