import type { AccountId, E164, PhoneNumberId } from '@outdial/contracts';
import { constraintOf } from '../sql-state.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { containing } from './containing.ts';
import { NUMBER_COLUMNS, type PhoneNumberRecord } from './number-columns.ts';
import { accountNotFound, refusal } from './refusal.ts';

export interface NumberSearch {
  /** Part of the number, or of its account's name. An empty text matches every number. */
  readonly text: string;
  /** Only numbers of this account. */
  readonly accountId?: AccountId | undefined;
  /** The last number of the previous page. */
  readonly after?: PhoneNumberId | undefined;
  readonly limit: number;
}

/** A number with its account's name; null for a system number. */
export interface OwnedNumberRecord extends PhoneNumberRecord {
  readonly accountName: string | null;
}

export interface NumberPage {
  readonly numbers: readonly OwnedNumberRecord[];
  readonly hasMore: boolean;
}

export async function findNumbers(
  { database: { side } }: AdministrationContext,
  { text, accountId, after, limit }: NumberSearch,
): Promise<NumberPage> {
  const pattern = containing(text);
  const rows = await side.$queryRaw<OwnedNumberRecord[]>`
    SELECT ${NUMBER_COLUMNS}, a.name AS "accountName"
    FROM phone_numbers n LEFT JOIN accounts a ON a.id = n.account_id
    WHERE (${text === ''} OR n.e164 ILIKE ${pattern} OR a.name ILIKE ${pattern})
      AND (${accountId ?? null}::uuid IS NULL OR n.account_id = ${accountId ?? null}::uuid)
      AND (${after ?? null}::uuid IS NULL
        OR (n.e164, n.id) > (SELECT l.e164, l.id FROM phone_numbers l WHERE l.id = ${after ?? null}::uuid))
    ORDER BY n.e164, n.id LIMIT ${limit + 1}::int`;
  return { numbers: rows.slice(0, limit), hasMore: rows.length > limit };
}

export async function assignNumber(
  { database: { side }, actor }: AdministrationContext,
  numberId: PhoneNumberId,
  accountId: AccountId | null,
): Promise<PhoneNumberRecord> {
  const entry = { action: 'number.assign', subjectId: numberId, data: { account_id: accountId } } as const;
  try {
    const [record] = await side.$queryRaw<PhoneNumberRecord[]>`
      WITH changed AS (
        UPDATE phone_numbers n SET account_id = ${accountId}::uuid,
          is_default = n.is_default AND n.account_id IS NOT DISTINCT FROM ${accountId}::uuid
        WHERE n.id = ${numberId}::uuid RETURNING ${NUMBER_COLUMNS}
      ), ${auditPart(actor, entry)}
      SELECT * FROM changed`;
    if (record) return record;
  } catch (error) {
    const constraint = constraintOf(error);
    if (constraint === 'phone_numbers_e164_key') {
      const owner = accountId === null ? 'The system' : 'The account';
      throw refusal('number_exists', 'number', `${owner} already has this number.`, error);
    }
    if (constraint === 'phone_numbers_account_id_fkey' && accountId !== null) throw accountNotFound(accountId);
    throw error;
  }
  throw noSuchNumber(numberId);
}

export async function setOutbound(
  { database: { side }, actor }: AdministrationContext,
  numberId: PhoneNumberId,
  enabled: boolean,
): Promise<PhoneNumberRecord> {
  const entry = { action: 'number.set_outbound', subjectId: numberId, data: { outbound_enabled: enabled } } as const;
  const [record] = await side.$queryRaw<PhoneNumberRecord[]>`
    WITH changed AS (
      UPDATE phone_numbers n SET outbound_enabled = ${enabled}
      WHERE n.id = ${numberId}::uuid RETURNING ${NUMBER_COLUMNS}
    ), ${auditPart(actor, entry)}
    SELECT * FROM changed`;
  if (!record) throw noSuchNumber(numberId);
  return record;
}

/** @throws Refusal if the number is not a system number */
export async function systemNumber({ database: { side } }: AdministrationContext, id: PhoneNumberId): Promise<E164> {
  const [row] = await side.$queryRaw<{ e164: E164 }[]>`
    SELECT e164 FROM phone_numbers WHERE id = ${id}::uuid AND account_id IS NULL`;
  if (row) return row.e164;
  throw noSuchNumber(id);
}

function noSuchNumber(numberId: PhoneNumberId) {
  return refusal('number_not_found', 'number_id', `There is no number ${numberId}. List the numbers to find its id.`);
}
