import { randomUUID } from 'node:crypto';
import { phoneNumberIdSchema, type AccountId, type E164, type PhoneNumberId } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import { constraintOf } from '../sql-state.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import {
  assignNumber,
  findNumbers,
  setOutbound,
  systemNumber,
  type NumberPage,
  type NumberSearch,
} from './all-numbers.ts';
import { NUMBER_COLUMNS, type PhoneNumberRecord } from './number-columns.ts';
import { accountNotFound, refusal } from './refusal.ts';

/** A number and its owner; without an account it is a system number. */
export interface NumberInput {
  readonly accountId: AccountId | null;
  readonly e164: E164;
}

export interface NumberAdministration {
  /** Adds an active number that is enabled for outbound calls. `isDefault` replaces the current default. */
  add(input: NumberInput & { readonly isDefault?: boolean }): Promise<PhoneNumberRecord>;
  remove(input: NumberInput): Promise<void>;
  setDefault(input: NumberInput): Promise<PhoneNumberRecord>;
  /** The default first, then oldest first. */
  list(accountId: AccountId | null): Promise<readonly PhoneNumberRecord[]>;
  /** Numbers of all accounts and of the system, by number. */
  find(search: NumberSearch): Promise<NumberPage>;
  /**
   * Assigns a number to an account, or with null to the system. It stops being a default. Calls that were accepted with it
   * go on.
   */
  assign(numberId: PhoneNumberId, accountId: AccountId | null): Promise<PhoneNumberRecord>;
  setOutbound(numberId: PhoneNumberId, enabled: boolean): Promise<PhoneNumberRecord>;
  /** Makes a system number the default, for accounts without a number that may use the system's. */
  setSystemDefault(numberId: PhoneNumberId): Promise<PhoneNumberRecord>;
}

function numberNotFound({ accountId, e164 }: NumberInput) {
  const owner = accountId === null ? 'The system' : `Account ${accountId}`;
  return refusal('number_not_found', 'number', `${owner} has no number ${e164}. Add it first.`);
}

/** Concurrent changes of the default violate the unique index for all but one, which then try again. */
const MAX_ATTEMPTS = 5;

export async function untilOneDefault<Result>(change: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || constraintOf(error) !== 'phone_numbers_default_key') throw error;
    }
  }
}

/** Also matches system numbers, whose account is null. */
function ownedBy(accountId: AccountId | null): Prisma.Sql {
  return accountId === null ? Prisma.sql`n.account_id IS NULL` : Prisma.sql`n.account_id = ${accountId}::uuid`;
}

export function administerNumbers(context: AdministrationContext): NumberAdministration {
  const { side } = context.database;
  return {
    add: (input) => untilOneDefault(() => add(context, input)),
    async remove(input) {
      const entry = { action: 'number.remove', subjectId: input.e164, data: { account_id: input.accountId } } as const;
      const [row] = await side.$queryRaw<{ count: number }[]>`
        WITH changed AS (
          DELETE FROM phone_numbers n WHERE ${ownedBy(input.accountId)} AND n.e164 = ${input.e164} RETURNING n.id
        ), ${auditPart(context.actor, entry)}
        SELECT count(*)::int AS count FROM changed`;
      if (row?.count !== 1) throw numberNotFound(input);
    },
    setDefault: (input) => untilOneDefault(() => setDefault(context, input)),
    list: (accountId) => side.$queryRaw<PhoneNumberRecord[]>`
      SELECT ${NUMBER_COLUMNS} FROM phone_numbers n WHERE ${ownedBy(accountId)}
      ORDER BY n.is_default DESC, n.created_at, n.id`,
    find: (search) => findNumbers(context, search),
    assign: (numberId, accountId) => assignNumber(context, numberId, accountId),
    setOutbound: (numberId, enabled) => setOutbound(context, numberId, enabled),
    async setSystemDefault(numberId) {
      const e164 = await systemNumber(context, numberId);
      return untilOneDefault(() => setDefault(context, { accountId: null, e164 }));
    },
  };
}

async function add(
  { database: { side }, actor }: AdministrationContext,
  input: NumberInput & { readonly isDefault?: boolean },
): Promise<PhoneNumberRecord> {
  const { accountId, e164, isDefault = false } = input;
  const numberId = phoneNumberIdSchema.parse(randomUUID());
  const entry = {
    action: 'number.add',
    subjectId: e164,
    data: { account_id: accountId, is_default: isDefault },
  } as const;
  try {
    const [record] = await side.$queryRaw<PhoneNumberRecord[]>`
      WITH replaced AS (
        UPDATE phone_numbers n SET is_default = false
        WHERE ${isDefault} AND n.is_default AND ${ownedBy(accountId)} RETURNING n.id
      ), changed AS (
        -- Counting the previous CTE makes it run first: otherwise there would be two defaults for a moment.
        INSERT INTO phone_numbers AS n (id, account_id, e164, is_default)
        SELECT ${numberId}::uuid, ${accountId}::uuid, ${e164}, ${isDefault} AND (SELECT count(*) FROM replaced) >= 0
        RETURNING ${NUMBER_COLUMNS}
      ), ${auditPart(actor, entry)}
      SELECT * FROM changed`;
    if (record) return record;
  } catch (error) {
    const owner = accountId === null ? 'The system' : `Account ${accountId}`;
    const constraint = constraintOf(error);
    if (constraint === 'phone_numbers_e164_key') {
      throw refusal('number_exists', 'number', `${owner} already has the number ${e164}.`, error);
    }
    if (constraint === 'phone_numbers_account_id_fkey' && accountId !== null) throw accountNotFound(accountId);
    throw error;
  }
  throw numberNotFound(input);
}

async function setDefault(
  { database: { side }, actor }: AdministrationContext,
  input: NumberInput,
): Promise<PhoneNumberRecord> {
  const { accountId, e164 } = input;
  const entry = { action: 'number.set_default', subjectId: e164, data: { account_id: accountId } } as const;
  const [record] = await side.$queryRaw<PhoneNumberRecord[]>`
    WITH replaced AS (
      UPDATE phone_numbers n SET is_default = false
      WHERE ${ownedBy(accountId)} AND n.is_default AND n.e164 <> ${e164}
        AND EXISTS (SELECT FROM phone_numbers n WHERE ${ownedBy(accountId)} AND n.e164 = ${e164})
      RETURNING n.id
    ), changed AS (
      -- Counting the previous CTE makes it run first: otherwise there would be two defaults for a moment.
      UPDATE phone_numbers n SET is_default = (SELECT count(*) FROM replaced) >= 0
      WHERE ${ownedBy(accountId)} AND n.e164 = ${e164}
      RETURNING ${NUMBER_COLUMNS}
    ), ${auditPart(actor, entry)}
    SELECT * FROM changed`;
  if (!record) throw numberNotFound(input);
  return record;
}
