import type { KeyPepper } from '@outdial/secrets';
import type { ApiKeyId, KeyScope } from '@outdial/contracts';
import { auditPart } from '../administration/audit.ts';
import { administerKeys, KEY_COLUMNS, type ApiKeyRecord } from '../administration/keys.ts';
import type { OwnContext } from './own-context.ts';

/** The account's own keys. */
export interface OwnKeys {
  /** Newest first. A revoked key is listed for another 30 days. */
  list(): Promise<readonly ApiKeyRecord[]>;
  /** Returns the key itself, which is not stored: only its digest is. @throws AccountBoundReached */
  create(input: {
    readonly name: string;
    readonly pepper: KeyPepper;
    readonly scopes?: readonly KeyScope[];
    readonly expiresAtMs?: number;
    readonly requestsPerSecond?: number;
  }): Promise<{ readonly key: string; readonly record: ApiKeyRecord }>;
  /** Every process rejects the key within a second. Repeating it keeps the first time. Null if the account has no such key. */
  revoke(keyId: ApiKeyId): Promise<ApiKeyRecord | null>;
}

export function ownKeys(context: OwnContext): OwnKeys {
  const { accountId, actor, bounds } = context;
  const { side } = context.database;
  const keys = administerKeys(context);
  return {
    list: () => side.$queryRaw<ApiKeyRecord[]>`
      SELECT ${KEY_COLUMNS} FROM api_keys k
      WHERE k.account_id = ${accountId}::uuid
        AND (k.revoked_at IS NULL OR k.revoked_at > clock_timestamp() - interval '30 days')
      ORDER BY k.created_at DESC, k.id DESC`,
    create: (input) => keys.create({ accountId, ...input, maxOfAccount: bounds.apiKeys }),
    async revoke(keyId) {
      await side.$executeRaw`
        WITH changed AS (
          UPDATE api_keys SET revoked_at = clock_timestamp()
          WHERE id = ${keyId}::uuid AND account_id = ${accountId}::uuid AND revoked_at IS NULL RETURNING id
        ), ${auditPart(actor, { action: 'key.revoke', subjectId: keyId, data: { account_id: accountId } })}
        SELECT count(*) FROM changed`;
      const [record] = await side.$queryRaw<ApiKeyRecord[]>`
        SELECT ${KEY_COLUMNS} FROM api_keys k WHERE k.id = ${keyId}::uuid AND k.account_id = ${accountId}::uuid`;
      return record ?? null;
    },
  };
}
