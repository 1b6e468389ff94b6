import type { PhoneNumberId } from '@outdial/contracts';
import { auditPart } from '../administration/audit.ts';
import { NUMBER_COLUMNS } from '../administration/number-columns.ts';
import type { PhoneNumberRecord } from '../administration/number-columns.ts';
import { administerNumbers, untilOneDefault } from '../administration/numbers.ts';
import type { OwnContext } from './own-context.ts';

/** Omitted fields stay unchanged. */
export interface NumberChanges {
  readonly outboundEnabled?: boolean;
  /** Replaces the current default. */
  readonly isDefault?: true;
}

/** The account's own numbers. */
export interface OwnNumbers {
  /** The default first, then oldest first. */
  list(): Promise<readonly PhoneNumberRecord[]>;
  /** Null if the account has no number of this id. */
  update(numberId: PhoneNumberId, changes: NumberChanges): Promise<PhoneNumberRecord | null>;
}

export function ownNumbers(context: OwnContext): OwnNumbers {
  return {
    list: () => administerNumbers(context).list(context.accountId),
    update: (numberId, changes) => untilOneDefault(() => update(context, numberId, changes)),
  };
}

async function update(
  { database: { side }, actor, accountId }: OwnContext,
  numberId: PhoneNumberId,
  { outboundEnabled, isDefault }: NumberChanges,
): Promise<PhoneNumberRecord | null> {
  const data = { account_id: accountId, outbound_enabled: outboundEnabled, is_default: isDefault };
  const becomesDefault = isDefault === true;
  const [record] = await side.$queryRaw<PhoneNumberRecord[]>`
    WITH chosen AS MATERIALIZED (
      SELECT n.id FROM phone_numbers n
      WHERE n.id = ${numberId}::uuid AND n.account_id = ${accountId}::uuid FOR NO KEY UPDATE
    ), replaced AS (
      UPDATE phone_numbers n SET is_default = false
      WHERE ${becomesDefault} AND n.account_id = ${accountId}::uuid AND n.is_default
        AND n.id NOT IN (SELECT c.id FROM chosen c) AND EXISTS (SELECT FROM chosen)
      RETURNING n.id
    ), changed AS (
      -- Counting the previous CTE makes it run first: otherwise there would be two defaults for a moment.
      UPDATE phone_numbers n SET
        is_default = CASE WHEN ${becomesDefault} THEN (SELECT count(*) FROM replaced) >= 0 ELSE n.is_default END,
        outbound_enabled = COALESCE(${outboundEnabled ?? null}::boolean, n.outbound_enabled)
      FROM chosen c WHERE n.id = c.id
      RETURNING ${NUMBER_COLUMNS}
    ), ${auditPart(actor, { action: 'number.update', subjectId: numberId, data })}
    SELECT * FROM changed`;
  return record ?? null;
}
