import {
  createRateDeck,
  type AccountProfile,
  type ConductedAgent,
  type Directory,
  type KeyRecord,
  type UsableAgent,
} from '@outdial/calls';
import {
  micros,
  modelNeeds,
  requiredVariables,
  type AccountId,
  type AgentId,
  type AgentSettings,
  type E164,
} from '@outdial/contracts';
import type { Database } from '../database.ts';
import { policiesInForce, type StoredPolicies } from '../policies/policies-in-force.ts';
import { readSettings } from '../stored-settings.ts';
import { modelRateDeckVersion, readModelRateDeck } from './model-rate-deck.ts';

/** A directory that also has the versions of rate decks, so that a whole deck is read only when it changed. */
export interface DirectorySource extends Directory {
  /** 0 for a currency without a deck. */
  rateDeckVersion(currency: string): Promise<number>;
  /** The same for model rates. */
  modelRateDeckVersion(currency: string): Promise<number>;
}

/** Reads account data from Postgres, one statement per lookup. */
export function createDirectory(database: Database): DirectorySource {
  const { side } = database;
  return {
    findKey: (digest) => findKey(database, digest),
    findAccount: (accountId) => findAccount(database, accountId),
    findAgent: (accountId, agentId) => findAgent(database, accountId, agentId, null),
    findAgentVersion: (accountId, agentId, version) => findAgent(database, accountId, agentId, version),
    async systemNumber() {
      const [row] = await side.$queryRaw<{ e164: E164 }[]>`
        SELECT e164 FROM phone_numbers
        WHERE account_id IS NULL AND is_default AND active AND outbound_enabled`;
      return row?.e164 ?? null;
    },
    async rateDeckVersion(currency) {
      const [row] = await side.$queryRaw<{ version: number }[]>`
        SELECT version FROM rate_decks WHERE currency = ${currency}`;
      return row?.version ?? 0;
    },
    rateDeck: (currency) => rateDeck(database, currency),
    modelRateDeckVersion: (currency) => modelRateDeckVersion(database, currency),
    modelRateDeck: (currency) => readModelRateDeck(database, currency),
  };
}

async function findKey({ side }: Database, digest: Buffer): Promise<KeyRecord | null> {
  const [row] = await side.$queryRaw<KeyRecord[]>`
    SELECT id, account_id AS "accountId", digest, scopes, epoch_ms(expires_at) AS "expiresAtMs",
           epoch_ms(revoked_at) AS "revokedAtMs", requests_per_second AS "requestsPerSecond"
    FROM api_keys WHERE digest = decode(${digest.toString('hex')}, 'hex')`;
  return row ?? null;
}

type AccountRow = Omit<AccountProfile, 'policies'> & StoredPolicies;

async function findAccount({ side }: Database, accountId: AccountId): Promise<AccountProfile | null> {
  const [row] = await side.$queryRaw<AccountRow[]>`
    SELECT a.id, a.name, a.currency, a.enabled, a.may_use_system_number AS "mayUseSystemNumber",
      a.max_duration_seconds AS "maxDurationSeconds", a.ring_timeout_seconds AS "ringTimeoutSeconds",
      (SELECT COALESCE(json_agg(n.e164 ORDER BY n.is_default DESC, n.created_at, n.id), '[]')
       FROM phone_numbers n WHERE n.account_id = a.id AND n.active AND n.outbound_enabled) AS "outboundNumbers",
      (SELECT COALESCE(json_agg(b.prefix ORDER BY b.prefix), '[]')
       FROM blocked_destinations b WHERE b.account_id = a.id) AS "blockedPrefixes",
      a.policy_version AS "policyVersion", p.settings AS "policy",
      (SELECT s.policy_floor FROM system_settings s WHERE s.id = 1) AS "policyFloor"
    FROM accounts a LEFT JOIN calling_policies p ON p.account_id = a.id AND p.version = a.policy_version
    WHERE a.id = ${accountId}::uuid`;
  if (!row) return null;
  // Field by field: every profile has one shape, which the code on the way of a request is compiled for.
  return {
    id: row.id,
    name: row.name,
    currency: row.currency,
    enabled: row.enabled,
    mayUseSystemNumber: row.mayUseSystemNumber,
    maxDurationSeconds: row.maxDurationSeconds,
    ringTimeoutSeconds: row.ringTimeoutSeconds,
    outboundNumbers: row.outboundNumbers,
    blockedPrefixes: row.blockedPrefixes,
    policies: policiesInForce(accountId, row),
  };
}

/** @param version null: the current one */
async function findAgent(
  { side }: Database,
  accountId: AccountId,
  agentId: AgentId,
  version: number | null,
): Promise<UsableAgent | null> {
  const [row] = await side.$queryRaw<{ id: AgentId; version: number; settings: unknown }[]>`
    SELECT g.id, v.version, v.settings
    FROM agents g JOIN agent_versions v ON v.agent_id = g.id AND v.version = COALESCE(${version}::int, g.version)
    WHERE g.id = ${agentId}::uuid AND (g.account_id = ${accountId}::uuid OR EXISTS (
      SELECT FROM agent_grants t WHERE t.agent_id = g.id AND t.account_id = ${accountId}::uuid))`;
  if (!row) return null;
  const stored = readSettings(row.settings);
  const required = stored.kind === 'usable' ? requiredVariables(stored.settings) : null;
  const conducted = stored.kind === 'usable' ? conductedOf(stored.settings) : null;
  return { id: row.id, version: row.version, requiredVariables: required, conducted };
}

function conductedOf(settings: AgentSettings): ConductedAgent | null {
  if (settings.driver === 'scripted') return null;
  const { driver, max_duration_seconds: maxDurationSeconds = null } = settings;
  return { driver, needs: modelNeeds(settings), maxDurationSeconds };
}

interface RateRow {
  readonly prefix: string;
  readonly connectionFeeMicros: bigint;
  readonly pricePerMinuteMicros: bigint;
  readonly initialIncrementSeconds: number;
  readonly incrementSeconds: number;
  readonly version: number;
}

async function rateDeck({ side }: Database, currency: string) {
  // With the version in every row: a separate read could return the version of another import.
  const rows = await side.$queryRaw<RateRow[]>`
    SELECT r.prefix, r.connection_fee_micros AS "connectionFeeMicros",
      r.price_per_minute_micros AS "pricePerMinuteMicros", r.initial_increment_seconds AS "initialIncrementSeconds",
      r.increment_seconds AS "incrementSeconds", d.version
    FROM rates r JOIN rate_decks d ON d.currency = r.currency WHERE r.currency = ${currency}`;
  const rates = rows.map((row) => ({
    prefix: row.prefix,
    connectionFeeMicros: micros(row.connectionFeeMicros),
    pricePerMinuteMicros: micros(row.pricePerMinuteMicros),
    initialIncrementSeconds: row.initialIncrementSeconds,
    incrementSeconds: row.incrementSeconds,
  }));
  return createRateDeck({ currency, version: rows[0]?.version ?? 0, rates });
}
