import { lineNameOf, type LineLimits } from '@outdial/calls';
import {
  COMPONENTS_OF,
  type AccountId,
  type CheckResult,
  type Component,
  type CredentialId,
  type Provider,
} from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { limitsOfLine, SET_LIMITS } from '../lines/line-limits.ts';

/** A credential of the operator's, without anything of its key. */
export interface OperatedCredential {
  readonly id: CredentialId;
  readonly provider: Provider;
  readonly name: string;
  /** Null: it shares its limits with no other. */
  readonly limitsGroup: string | null;
  readonly rotatedAtMs: number;
  /** Of the present key; null: not checked yet. */
  readonly checkedAtMs: number | null;
  readonly checkResult: CheckResult | null;
  /** Of what the provider's models do. Credentials of one group have the same lines. */
  readonly lines: readonly OperatedLine[];
}

export interface OperatedLine extends Pick<LineLimits, 'name' | 'maxCalls' | 'startsPerSecond'> {
  readonly component: Component;
}

export interface OperatedCredentials {
  readonly credentials: readonly OperatedCredential[];
  readonly hasMore: boolean;
}

interface Row extends Omit<OperatedCredential, 'lines'> {
  readonly maxCalls: number | null;
  readonly startsPerSecond: number | null;
}

/** Those that calls wait for, because the provider rejects the key, come first; then the oldest. */
export async function readOperatedCredentials({ side }: Database, limit: number): Promise<OperatedCredentials> {
  const rows = await side.$queryRaw<Row[]>`
    SELECT p.id, p.provider, p.name, p.limits_group AS "limitsGroup", epoch_ms(p.rotated_at) AS "rotatedAtMs",
      epoch_ms(p.checked_at) AS "checkedAtMs", p.check_result AS "checkResult", ${SET_LIMITS}
    FROM provider_credentials p WHERE p.account_id IS NULL
    ORDER BY p.check_result IS NOT DISTINCT FROM 'rejected' DESC, p.created_at, p.id LIMIT ${limit + 1}::int`;
  return { credentials: rows.slice(0, limit).map(operatedCredential), hasMore: rows.length > limit };
}

function operatedCredential({ maxCalls, startsPerSecond, ...credential }: Row): OperatedCredential {
  const { id, provider, limitsGroup } = credential;
  const lines = COMPONENTS_OF[provider].map((component) => ({
    component,
    name: lineNameOf({ credentialId: id, accountId: null, group: limitsGroup }, component),
    ...limitsOfLine({ provider, maxCalls, startsPerSecond }, component),
  }));
  return { ...credential, lines };
}

/** The names of accounts. Those that do not exist are left out. */
export async function readAccountNames(
  { side }: Database,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, string>> {
  if (ids.length === 0) return new Map();
  const rows = await side.$queryRaw<{ readonly id: AccountId; readonly name: string }[]>`
    SELECT a.id, a.name FROM accounts a WHERE a.id IN (${Prisma.join(ids.map((id) => Prisma.sql`${id}::uuid`))})`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
