import type { SuppressionKind } from '@outdial/contracts';
import type { Database } from '../src/database.ts';

export interface Entry {
  /** Null: of the platform. */
  readonly accountId: string | null;
  readonly number: string;
  readonly kind?: SuppressionKind;
}

/** Puts a number on a do-not-call list. */
export async function suppress({ side }: Database, { accountId, number, kind = 'manual' }: Entry): Promise<void> {
  await side.$executeRaw`
    INSERT INTO suppressions (account_id, number, kind, source, created_by, created_at)
    VALUES (${accountId}::uuid, ${BigInt(number.slice(1))}, ${kind}, 'api', 'test', clock_timestamp())`;
}

/** Removes every entry of a number, as an operator does. */
export async function lift({ side }: Database, number: string): Promise<void> {
  await side.$executeRaw`
    UPDATE suppressions SET removed_at = clock_timestamp(), removed_by = 'test', removal_reason = 'test'
    WHERE number = ${BigInt(number.slice(1))} AND removed_at IS NULL`;
}
