import { randomUUID } from 'node:crypto';
import { createApiKey, digestApiKey, SHOWN_KEY_LENGTH, type KeyPepper } from '@outdial/secrets';
import { apiKeyIdSchema, type AccountId, type ApiKeyId, type KeyScope } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import { AccountBoundReached, queryWithAccountLocked } from './account-bounds.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { accountNotFound, refusal } from './refusal.ts';

export interface ApiKeyRecord {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  readonly name: string;
  /** The key's first characters, by which its owner recognizes it. */
  readonly shownPrefix: string;
  readonly scopes: readonly KeyScope[];
  readonly requestsPerSecond: number | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
}

export interface NewApiKey {
  readonly accountId: AccountId;
  readonly name: string;
  readonly pepper: KeyPepper;
  /** Default: `outbound`. */
  readonly scopes?: readonly KeyScope[] | undefined;
  readonly expiresAtMs?: number;
  /** Overrides the service's default limit. */
  readonly requestsPerSecond?: number;
  /** Counts active keys and keys created in the last 24 hours, so that creating and revoking in turn is bounded too. */
  readonly maxOfAccount?: number;
}

export interface KeyAdministration {
  /**
   * Returns the key itself, which is not stored: only its digest is.
   * @throws AccountBoundReached
   */
  create(input: NewApiKey): Promise<{ readonly key: string; readonly record: ApiKeyRecord }>;
  /** Oldest first, including revoked keys. */
  list(accountId: AccountId): Promise<readonly ApiKeyRecord[]>;
  /** Every process rejects the key within a second. Repeating it keeps the first time. */
  revoke(keyId: ApiKeyId): Promise<ApiKeyRecord>;
}

export const KEY_COLUMNS = Prisma.sql`
  k.id, k.account_id AS "accountId", k.name, k.shown_prefix AS "shownPrefix", k.scopes,
  k.requests_per_second AS "requestsPerSecond", epoch_ms(k.created_at) AS "createdAtMs",
  epoch_ms(k.expires_at) AS "expiresAtMs", epoch_ms(k.revoked_at) AS "revokedAtMs",
  epoch_ms(k.last_used_at) AS "lastUsedAtMs"`;

export function administerKeys({ database, actor }: AdministrationContext): KeyAdministration {
  const { side } = database;
  async function find(keyId: ApiKeyId): Promise<ApiKeyRecord> {
    const [record] = await side.$queryRaw<ApiKeyRecord[]>`
      SELECT ${KEY_COLUMNS} FROM api_keys k WHERE k.id = ${keyId}::uuid`;
    if (record) return record;
    throw refusal('key_not_found', 'key_id', `There is no key ${keyId}. List the account's keys to find its id.`);
  }

  return {
    async create({ accountId, name, pepper, scopes = ['outbound'], expiresAtMs, requestsPerSecond, maxOfAccount }) {
      const keyId = apiKeyIdSchema.parse(randomUUID());
      const key = createApiKey();
      const digest = digestApiKey(key, pepper).toString('hex');
      const data = {
        account_id: accountId,
        name,
        scopes,
        expires_at_ms: expiresAtMs,
        requests_per_second: requestsPerSecond,
      };
      const hasRoom =
        maxOfAccount === undefined ? Prisma.sql`true` : Prisma.sql`${maxOfAccount}::int > ${keysOf(accountId)}`;
      const statement = Prisma.sql`
        WITH changed AS (
          INSERT INTO api_keys AS k (id, account_id, name, shown_prefix, digest, scope, scopes, requests_per_second,
            expires_at)
          SELECT ${keyId}::uuid, a.id, ${name}, ${key.slice(0, SHOWN_KEY_LENGTH)}, decode(${digest}, 'hex'),
                 ${scopes.includes('outbound') ? 'outbound' : 'manage'}, ${scopes}::text[],
                 ${requestsPerSecond ?? null}::int, from_epoch_ms(${expiresAtMs ?? null}::bigint)
          FROM accounts a WHERE a.id = ${accountId}::uuid AND ${hasRoom}
          RETURNING ${KEY_COLUMNS}
        ), ${auditPart(actor, { action: 'key.create', subjectId: keyId, data })}
        SELECT * FROM changed`;
      const [record] = await queryWithAccountLocked<ApiKeyRecord>(database, accountId, statement);
      if (record) return { key, record };
      throw maxOfAccount === undefined ? accountNotFound(accountId) : new AccountBoundReached('api_keys', maxOfAccount);
    },
    list: (accountId) => side.$queryRaw<ApiKeyRecord[]>`
      SELECT ${KEY_COLUMNS} FROM api_keys k WHERE k.account_id = ${accountId}::uuid ORDER BY k.created_at, k.id`,
    async revoke(keyId) {
      const known = await find(keyId);
      await side.$executeRaw`
        WITH changed AS (
          UPDATE api_keys SET revoked_at = clock_timestamp() WHERE id = ${keyId}::uuid AND revoked_at IS NULL RETURNING id
        ), ${auditPart(actor, { action: 'key.revoke', subjectId: keyId, data: { account_id: known.accountId } })}
        SELECT count(*) FROM changed`;
      return find(keyId);
    },
  };
}

function keysOf(accountId: AccountId): Prisma.Sql {
  return Prisma.sql`(
    SELECT count(*) FROM api_keys o WHERE o.account_id = ${accountId}::uuid
      AND (o.created_at > now() - interval '24 hours'
        OR (o.revoked_at IS NULL AND (o.expires_at IS NULL OR o.expires_at > now()))))`;
}
