import type { AccountLimits, SystemLimits } from '@outdial/calls';
import type { AccountId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { limitsOf } from '../reconcile/limits.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { accountNotFound } from './refusal.ts';

/** Maximum of open calls. Lowering it ends no call: new ones wait until enough have ended. */
export interface CapacityAdministration {
  /** Returns the input of the gate's `refreshAccount`. */
  setAccount(input: { readonly accountId: AccountId; readonly capacity: number }): Promise<AccountLimits>;
  /** Returns the input of the gate's `refreshSystem`. */
  setSystem(capacity: number): Promise<SystemLimits>;
}

export function administerCapacity({ database, actor }: AdministrationContext): CapacityAdministration {
  const { side } = database;
  return {
    async setAccount({ accountId, capacity }) {
      await side.$executeRaw`
        WITH changed AS (
          UPDATE accounts SET capacity = ${capacity}, capacity_version = capacity_version + 1
          WHERE id = ${accountId}::uuid RETURNING id
        ), ${auditPart(actor, { action: 'account.set_capacity', subjectId: accountId, data: { capacity } })}
        SELECT count(*) FROM changed`;
      const [limits] = await limitsOf(database, [accountId]);
      if (!limits) throw accountNotFound(accountId);
      return limits;
    },
    async setSystem(capacity) {
      const [row] = await side.$queryRaw<{ capacity: number; capacityVersion: bigint }[]>`
        WITH changed AS (
          UPDATE system_settings SET capacity = ${capacity}, capacity_version = capacity_version + 1
          RETURNING capacity, capacity_version
        ), ${auditPart(actor, { action: 'system.set_capacity', subjectId: 'system', data: { capacity } })}
        SELECT capacity, capacity_version AS "capacityVersion" FROM changed`;
      invariant(row, 'system_settings has its row');
      return { capacity: row.capacity, capacityVersion: Number(row.capacityVersion) };
    },
  };
}
