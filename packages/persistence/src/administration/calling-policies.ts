import type { AccountId, CallingPolicySettings, PolicyPack } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { Prisma } from '../generated/client.ts';
import { ensureDefaultPolicy } from '../policies/default-policy.ts';
import { readPolicyInForce, type PolicyInForce } from '../policies/read-policies.ts';
import { lookAgain } from '../schedule/look-again.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { accountNotFound } from './refusal.ts';
import { saveCallingPolicy, type SavedPolicy } from './save-calling-policy.ts';

/** The calling policies of accounts, and the operator's two: the floor of all accounts, and what a new account begins with. */
export interface PolicyAdministration {
  /** @throws Refusal `account_not_found` */
  show(accountId: AccountId): Promise<PolicyInForce>;
  /** As the next version, unless it is in force already. @throws Refusal `account_not_found` */
  save(accountId: AccountId, settings: CallingPolicySettings): Promise<SavedPolicy>;
  /**
   * After a change of an account's policy, or (without an account) of the floor: has it asked about the calls that wait for
   * the calling hours or for a cap. @returns how many calls
   */
  lookAgain(accountId: AccountId | null): Promise<number>;
  readonly floor: OperatorPolicy;
  readonly default: OperatorPolicy;
  /** Before an account is made: stores what new accounts begin with, unless the database has that. */
  ensureDefault(pack: PolicyPack): Promise<void>;
}

export interface OperatorPolicy {
  /** Null: there is none. */
  show(): Promise<CallingPolicySettings | null>;
  /** Null takes it away. A change without effect is not audited. @returns whether anything changed */
  set(settings: CallingPolicySettings | null): Promise<boolean>;
}

export function administerPolicies(context: AdministrationContext): PolicyAdministration {
  const { database } = context;

  async function lookAgainAtAll(): Promise<number> {
    const accounts = await database.side.$queryRaw<{ accountId: AccountId }[]>`
      SELECT t.account_id AS "accountId" FROM dial_turns t ORDER BY t.account_id`;
    let moved = 0;
    for (const { accountId } of accounts) moved += await lookAgain(database, accountId);
    return moved;
  }

  return {
    show: async (accountId) => existing(accountId, await readPolicyInForce(database, accountId)),
    save: async (accountId, settings) => existing(accountId, await saveCallingPolicy(context, accountId, settings)),
    lookAgain: (accountId) => (accountId === null ? lookAgainAtAll() : lookAgain(database, accountId)),
    floor: operatorPolicy(context, Prisma.sql`policy_floor`, 'policy.set_floor'),
    default: operatorPolicy(context, Prisma.sql`default_policy`, 'policy.set_default'),
    ensureDefault: (pack) => ensureDefaultPolicy(database, pack),
  };
}

function existing<Value>(accountId: AccountId, found: Value | null): Value {
  if (found === null) throw accountNotFound(accountId);
  return found;
}

/** @param column of `system_settings` */
function operatorPolicy(
  { database: { side }, actor }: AdministrationContext,
  column: Prisma.Sql,
  action: 'policy.set_floor' | 'policy.set_default',
): OperatorPolicy {
  return {
    async show() {
      const [row] = await side.$queryRaw<{ settings: CallingPolicySettings | null }[]>`
        SELECT ${column} AS settings FROM system_settings WHERE id = 1`;
      invariant(row, 'system_settings has its row');
      return row.settings;
    },
    async set(settings) {
      const text = settings === null ? null : JSON.stringify(settings);
      const [row] = await side.$queryRaw<{ changed: number }[]>`
        WITH changed AS (
          UPDATE system_settings SET ${column} = ${text}::jsonb
          WHERE id = 1 AND ${column} IS DISTINCT FROM ${text}::jsonb RETURNING id
        ), ${auditPart(actor, { action, subjectId: 'system', data: { settings } })}
        SELECT count(*)::int AS changed FROM changed`;
      return row?.changed === 1;
    },
  };
}
