import type { AccountId, E164 } from '@outdial/contracts';
import type { Database } from '../database.ts';

/** When every cap lets another dial through; null: each does now. */
export async function cappedUntilMs(
  { side }: Pick<Database, 'side'>,
  accountId: AccountId,
  number: E164,
): Promise<number | null> {
  const [row] = await side.$queryRaw<{ untilMs: number | null }[]>`
    SELECT epoch_ms(max(c.until)) AS "untilMs"
    FROM caps_reached(${accountId}::uuid, ${number}, (SELECT clock_timestamp()), NULL) c`;
  return row?.untilMs ?? null;
}
